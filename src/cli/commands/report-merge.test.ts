import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { agentProject, scripted } from "../../../test/agent-project.ts";
import { skillManifest } from "../../../test/eval-project.ts";
import { scripts, triggerProject } from "../../../test/trigger-project.ts";

interface Cli {
  cwd: string;
  run(argv: readonly string[]): Promise<{
    exitCode: number;
    stderr: string;
    // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
    document: any;
  }>;
}

/** Two skills on two tasks each: one fails, one of its tasks cannot be scored. */
async function unitProject() {
  const skill = (id: string) => ({ ...skillManifest, id, name: id, entrypoint: "node run.mjs" });
  const program = (answer: string) => `
    let text = "";
    for await (const chunk of process.stdin) text += chunk;
    const { id, params } = JSON.parse(text);
    console.log(JSON.stringify({ jsonrpc: "2.0", id, result: ${answer} }));
  `;
  const task = (id: string, n: number, expectedOutput: object) => ({ id, inputData: { n }, expectedOutput });
  const same = (value: number) => ({ type: "exact", value });
  return agentProject({
    "skills/good/skill.json": skill("good"),
    "skills/good/run.mjs": program("params.n"),
    "skills/poor/skill.json": skill("poor"),
    "skills/poor/run.mjs": program("params.n > 1 ? 0 : params.n"),
    "bench.json": {
      ...{ id: "bench", name: "Bench", version: "1.0.0" },
      tasks: [
        task("one", 1, same(1)),
        task("two", 2, same(2)),
        task("three", 3, same(3)),
        task("four", 4, same(4)),
      ],
    },
  });
}

const clockwork =
  /^(id|runId|files|runDir|log|latP95Norm|compositeScore|text|ms|tookMs|quotes|events|outputBytes|\w+(At|Ms))$/;

/** A report without what the clock decides. */
function timeless(document: unknown): unknown {
  return JSON.parse(JSON.stringify(document), (key, value) => (clockwork.test(key) ? undefined : value));
}

const shardFiles = ({ cwd }: Cli) => readdirSync(`${cwd}/reports`).filter((name) => name.includes("-shard-"));

/** Makes every shard in a store of its own, and merges them where none of it is. */
async function inShards(cli: Cli, line: readonly string[], count: number, more: readonly string[] = []) {
  for (let index = 1; index <= count; index++) {
    const { exitCode, stderr } = await cli.run([
      ...line,
      "--shard",
      `${index}/${count}`,
      "--store",
      `shard-${index}.db`,
    ]);
    expect(exitCode, stderr).toBe(0); // judged when merged
  }
  const merged = await cli.run(["report", "merge", "reports", "--json", ...more]);
  return merged;
}

describe("shards that are merged give the report of the whole run", () => {
  async function check(cli: Cli, line: readonly string[], exitCode: number): Promise<void> {
    const merged = await inShards(cli, line, 3);
    const whole = await cli.run([...line, "--json", "--store", "whole.db"]);

    expect([merged.exitCode, whole.exitCode]).toEqual([exitCode, exitCode]);
    const { run, ...rest } = merged.document;
    expect(timeless(rest)).toEqual(timeless({ ...whole.document, run: undefined }));
    expect(timeless(run)).toEqual(timeless({ ...whole.document.run, store: "./eval-skills.db" }));
  }

  test("of eval, with a gate that fails", async () => {
    await using project = await unitProject();
    await check(
      project,
      [
        "eval",
        "--skills",
        "skills",
        "--benchmark",
        "./bench.json",
        "--runs",
        "2",
        "--min-completion",
        "0.9",
        "--sandbox",
        "process",
      ],
      1,
    );
  });

  test("of trigger, with a model as judge", async () => {
    await using project = await triggerProject(scripts.never);
    project.addSkill("crane");
    project.addSkill("boat");
    await check(project, ["trigger", "skills", "--judge-model", "lab/judge", "--runs", "4"], 1);
  });

  test("of agent eval and conversations", async () => {
    const cases = ["one", "two", "three"].map((id) => scripted(id, { expect: { skills_all_of: ["hours"] } }));
    await using project = await agentProject({ "evals/suite.yaml": { suite: "desk", cases } });
    await check(project, ["agent", "eval", "evals", "--runs", "2"], 1);
  });

  test("of planbench", async () => {
    const one = (id: string, steps: string[]) => ({ id, input: "What does it cost?", mock: [{ steps }] });
    await using project = await agentProject({
      "schemas/plan.schema.json": { type: "object", properties: { steps: { type: "array", minItems: 1 } } },
      "bench.yaml": {
        ...{
          id: "desk",
          schema: "schemas/plan.schema.json",
          target: { type: "model", model: "mock" },
          max_repairs: 0,
        },
        cases: [one("a", ["x"]), one("b", []), one("c", ["y"])],
      },
    });
    await check(project, ["planbench", "bench.yaml", "--min-success", "0.9"], 1);
  });
});

describe("a merge", () => {
  const line = ["eval", "--skills", "skills", "--benchmark", "./bench.json"];

  test("is the same run when it is done again, and that run is in the history", async () => {
    await using project = await unitProject();
    const merged = await inShards(project, line, 2);
    const again = await project.run(["report", "merge", "reports", "--json"]);

    expect(again.document.run.id).toBe(merged.document.run.id);
    expect(again.document.cells).toEqual(merged.document.cells);
    const { document } = await project.run(["history", "--json"]);
    expect(new Set(document.rows.map(({ runId }: { runId: string }) => runId))).toEqual(
      new Set([merged.document.run.id]),
    );
  });

  test("without a shard has no verdict and names it", async () => {
    await using project = await unitProject();
    await inShards(project, line, 3);
    rmSync(project.at("reports/eval-result-shard-2-of-3.ndjson"));

    const { exitCode, document } = await project.run(["report", "merge", "reports", "--json"]);

    expect(exitCode).toBe(3);
    expect(document.warnings).toContain("shards 2 of 3 are missing");
  });

  test("of shards of different plans, versions or tries is refused", async () => {
    await using project = await unitProject();
    await inShards(project, line, 2);
    const [first = "", second = ""] = shardFiles(project).map((name) => project.at(`reports/${name}`));
    const refusal = async () => {
      const { exitCode, document } = await project.run(["report", "merge", "reports", "--json"]);
      return `${exitCode} ${document.error.message}`;
    };
    const kept = readFileSync(second, "utf8");
    const change = async (from: string | RegExp, to: string) => {
      writeFileSync(second, kept.replace(from, to));
      const message = await refusal();
      writeFileSync(second, kept);
      return message;
    };

    expect(await change(/"planDigest":"sha256:..../, '"planDigest":"sha256:0000')).toContain(
      "2 reports/eval-result-shard-1-of-2.ndjson and reports/eval-result-shard-2-of-2.ndjson are not of one run: different plans",
    );
    expect(await change(/"toolVersion":"[^"]*"/, '"toolVersion":"0.0.1"')).toContain("and 0.0.1");
    expect(await change(/\n[^\n]*\n$/, "\n")).toMatch(/^2 .* of its \d cells/);
    expect(await change("{", "[")).toMatch(/^2 .*line 1: not a shard file/);
    const lines = readFileSync(first, "utf8").split("\n");
    writeFileSync(
      project.at("reports/again-shard-1-of-2.ndjson"),
      lines.join("\n").replace(/"latencyMs":[\d.]+/, '"latencyMs":1.5'),
    );
    expect(await refusal()).toMatch(/^2 .*different results of case \w+, trial 1/);
    expect(await project.run(["report", "merge", "skills", "--json"])).toMatchObject({ exitCode: 2 });
  });

  test("is refused where a skill is not what the shards had", async () => {
    await using project = await unitProject();
    await inShards(project, line, 2);
    project.write("skills/good/run.mjs", "// other");
    rmSync(project.at("eval-skills.db"));

    const { exitCode, document } = await project.run(["report", "merge", "reports", "--json"]);

    expect(exitCode).toBe(2);
    expect(document.error.message).toContain("skill good has changed");
  });
});

test("a shard that no run has, and shards of what is not executed, are refused", async () => {
  await using project = await unitProject();
  const line = ["eval", "--skills", "skills", "--benchmark", "./bench.json", "--json"];
  for (const words of ["0/2", "3/2", "1", "a/b", "1/5000"])
    expect(await project.run([...line, "--shard", words])).toMatchObject({
      exitCode: 2,
      document: { error: { message: expect.stringContaining("--shard takes <index>/<count>") } },
    });
  expect(await project.run(["eval", "--rescore", "x", "--shard", "1/2", "--json"])).toMatchObject({
    exitCode: 2,
  });
});
