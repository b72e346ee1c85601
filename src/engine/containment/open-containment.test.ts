import { describe, expect, test } from "vitest";
import { evalProject, skillManifest, task } from "../../../test/eval-project.ts";
import { describeStrict } from "../../../test/strict-machine.ts";
import { prepareRun } from "../../operations/eval/preflight.ts";
import type { PlanOptions } from "../../operations/eval/request.ts";

const bench = { id: "bench", name: "Bench", version: "1.0.0", tasks: [task("one")] };
/** A machine on which nothing can be proven. */
const bare = { env: { PATH: "/nowhere" } };
const manifest = { ...skillManifest, entrypoint: `${process.execPath} skill.mjs` };

describe("where nothing can be proven", () => {
  test("auto runs with what there is, and the stamp says what would help", async () => {
    await using project = await evalProject([task("one")]);
    project.write("skill/skill.json", manifest);

    await using ready = await prepareRun(project.plan({ sandbox: "auto" }), project.context(bare));

    expect(ready.sandbox.containment).toMatchObject({
      level: "process",
      network: "open",
      hint: expect.stringMatching(/^bubblewrap not installed/),
    });
  });

  test.each([
    ["--sandbox strict", { sandbox: "strict" }],
    ["--sandbox reduced", { sandbox: "reduced" }],
    ["a floor in the configuration", { sandbox: "auto", floor: "strict", floorFile: "/my/config.yaml" }],
    ["--network none", { sandbox: "auto", network: "none" }],
    ["--network none at process", { network: "none" }],
    ["--allow-network", { sandbox: "auto", allowNetwork: ["a.example"] }],
  ] satisfies [string, Partial<PlanOptions>][])(
    "%s refuses the run, and nothing was called",
    async (_name, plan) => {
      await using project = await evalProject([task("one")]);
      project.write("skill/skill.json", manifest);

      await expect(prepareRun(project.plan(plan), project.context(bare))).rejects.toMatchObject({
        code: "sandbox-unavailable",
        exitCode: 2,
        message: expect.stringMatching(/^E_SANDBOX_UNAVAILABLE: .*Nothing was run\./),
      });
      expect(project.called()).toEqual([]);
    },
  );

  test("a dry run proves nothing and refuses nothing on that account", async () => {
    await using project = await evalProject([task("one")]);
    project.write("skill/skill.json", manifest);

    await using ready = await prepareRun(project.plan({ sandbox: "strict" }), {
      ...project.context(bare),
      isDryRun: true,
    });

    expect(ready.suite.cells.size).toBe(1);
  });

  test("a dry run warns of nothing it did not look at, and refuses what no machine could prove", async () => {
    await using project = await evalProject([task("one")]);
    project.write("skill/skill.json", { ...manifest, metadata: { "eval-skills.allow-network": "false" } });
    const context = { ...project.context(bare), isDryRun: true };

    await using ready = await prepareRun(project.plan({ sandbox: "auto" }), context);

    expect(ready.warnings).toEqual([]);
    await expect(
      prepareRun(project.plan({ sandbox: "process", network: "none" }), context),
    ).rejects.toMatchObject({ code: "sandbox-unavailable" });
  });
});

describe("a floor in a file", () => {
  test.each([
    ["the benchmark", "bench.json", { ...bench, sandbox: "strict" }],
    ["the skill", "skill/skill.json", { ...manifest, sandbox: "strict" }],
  ] as const)("of %s refuses a weaker flag and names the file", async (_name, file, content) => {
    await using project = await evalProject([task("one")]);
    project.write(file, content);

    await expect(prepareRun(project.plan({ sandbox: "process" }), project.context())).rejects.toMatchObject({
      code: "sandbox-unavailable",
      path: project.at(file),
      message: `E_SANDBOX_UNAVAILABLE: --sandbox process is weaker than strict, the floor set in ${project.at(file)}. Nothing was run.`,
    });
  });

  test.each([
    ["bench.json", { ...bench, sandbox: "process" }, "benchmark-invalid"],
    ["skill/skill.json", { ...manifest, sandbox: "off" }, "skill-invalid"],
  ] as const)("cannot weaken anything: %s", async (file, content, code) => {
    await using project = await evalProject([task("one")]);
    project.write(file, content);

    await expect(prepareRun(project.plan(), project.context())).rejects.toMatchObject({
      code,
      path: project.at(file),
      jsonPath: "$.sandbox",
    });
  });
});

describe("a skill that gives up the network", () => {
  const withoutNetwork = (value: unknown) => ({
    ...manifest,
    metadata: { "eval-skills.allow-network": value },
  });

  test("is warned of where nothing can close it", async () => {
    await using project = await evalProject([task("one")]);
    project.write("skill/skill.json", withoutNetwork("false"));

    await using ready = await prepareRun(project.plan(), project.context());

    expect(ready.warnings).toEqual([
      "obedient must have no network (eval-skills.allow-network), but sandbox level process cannot block it",
    ]);
  });

  test("must say so in words that are known", async () => {
    await using project = await evalProject([task("one")]);
    project.write("skill/skill.json", withoutNetwork("never"));

    await expect(prepareRun(project.plan(), project.context())).rejects.toMatchObject({
      code: "skill-invalid",
      jsonPath: expect.stringContaining("eval-skills.allow-network"),
    });
  });
});

describeStrict("where a sandbox is available", () => {
  test("auto is strict with an open network, and a demanded strict closes it", async () => {
    await using project = await evalProject([task("one")]);

    await using open = await prepareRun(project.plan({ sandbox: "auto" }), project.context());
    await using closed = await prepareRun(project.plan({ sandbox: "strict" }), project.context());
    project.write("bench.json", { ...bench, sandbox: "strict" });
    await using floor = await prepareRun(project.plan({ sandbox: "auto" }), project.context());

    const strict = { level: "strict", backend: "bubblewrap", unproven: [] };
    expect(open.sandbox.containment).toMatchObject({ ...strict, network: "open" });
    expect(closed.sandbox.containment).toMatchObject({ ...strict, network: "none" });
    expect(floor.sandbox.containment).toMatchObject({ ...strict, network: "none" });
  });

  test("a skill sees neither the benchmark, nor its scorer, nor the store, nor another skill in its folder", async () => {
    await using project = await evalProject([]);
    project.program(lookingAt("bench.json", "score.mjs", "store.db", "other/skill.json", "mine.txt"));
    project.write("skill/mine.txt", "mine");
    project.write("skill/store.db", "the store");
    project.write(
      "skill/score.mjs",
      "export default ({ output }) => ({ score: output?.length === 5 ? 1 : 0, reason: 'seen' });",
    );
    project.write("skill/other/skill.json", { ...skillManifest, id: "other" });
    project.write("skill/other/skill.mjs", "");
    const evaluator = { type: "custom", customScorerPath: "score.mjs" };
    project.write("skill/bench.json", { ...bench, tasks: [task("one", {}, { evaluator })] });
    const skills = ["skill/skill.json", "skill/other"];

    await using ready = await prepareRun(
      project.plan({ sandbox: "auto", skills, benchmark: "./skill/bench.json" }),
      project.context({ exclude: [project.at("skill/store.db")] }),
    );
    const [cell] = ready.suite.cells;
    if (cell === undefined) throw new Error("no cell");

    expect(await ready.suite.execute(cell, new AbortController().signal)).toMatchObject({
      status: "answered",
      output: [0, 0, 0, "ENOENT", 4],
    });
  });
});

/** A skill that answers with the length of each file, or why it cannot read it. */
function lookingAt(...names: string[]): string {
  return `
import { readFileSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const seen = (name) => {
  try { return readFileSync(name, "utf8").length; } catch (error) { return error.code; }
};
const result = ${JSON.stringify(names)}.map(seen);
console.log(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(text).id, result }));
`;
}
