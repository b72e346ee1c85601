import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { agentProject, scripted } from "../../../test/agent-project.ts";
import { skillManifest } from "../../../test/eval-project.ts";
import { scripts, triggerProject } from "../../../test/trigger-project.ts";
import type { CellResult } from "../../contract/result.ts";

const program = `
  import { appendFileSync } from "node:fs";
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  const { id, params } = JSON.parse(text);
  appendFileSync(process.env.CALLS, params.n + "\\n");
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: params.answer ?? params.n }));
`;

const failsOnce = `
  import { existsSync, writeFileSync } from "node:fs";
  const mark = process.env.CALLS + ".once";
  if (!existsSync(mark)) { writeFileSync(mark, ""); process.exit(1); }
`;

const task = (id: string, inputData: { n: number; answer?: number }) => {
  return { id, inputData, expectedOutput: { type: "exact", value: inputData.n } };
};

/** A skill that writes down its calls, and tasks of which "two" and "four" fail. */
async function openProject() {
  const project = await agentProject();
  const writeTasks = (answer: number) => {
    const tasks = [
      task("one", { n: 1 }),
      task("two", { n: 2, answer }),
      task("three", { n: 3 }),
      task("four", { n: 4, answer: 0 }),
    ];
    project.write("bench.json", { id: "bench", name: "Bench", version: "1.0.0", tasks });
  };
  project.write("skills/echo/skill.json", { ...skillManifest, id: "echo", entrypoint: "node run.mjs" });
  project.write("skills/echo/run.mjs", program);
  project.write("skills/echo/adapter.config.json", {
    type: "subprocess",
    env: { CALLS: project.at("calls") },
  });
  writeTasks(0);
  const line = [
    "eval",
    "--skills",
    "skills",
    "--benchmark",
    "./bench.json",
    "--sandbox",
    "process",
    "--json",
  ];
  return {
    ...project,
    writeTasks,
    evaluate: (...more: string[]) => project.run([...line, ...more]),
    calls: () =>
      existsSync(project.at("calls"))
        ? readFileSync(project.at("calls"), "utf8").trim().split("\n").sort()
        : [],
  };
}

const statuses = ({ cells }: { cells: CellResult[] }) =>
  Object.fromEntries(cells.map(({ caseId, status }) => [caseId, status]));

describe("--bail", () => {
  test("begins nothing more after so many failures, is exit 1, and --resume runs the rest", async () => {
    await using project = await openProject();

    const first = await project.evaluate("--bail", "--concurrency", "1", "--min-completion", "0.1");

    expect([first.exitCode, statuses(first.document)]).toEqual([1, { one: "pass", two: "fail" }]);
    expect(first.document.warnings).toEqual([
      expect.stringMatching(/^2 cells did not run: --bail stopped the run, --resume \S+ continues it$/),
    ]);
    expect(first.document.gates).toMatchObject([{ passed: null }]); // of a part nobody can say it
    const rest = await project.run(["eval", "--resume", "--sandbox", "process", "--json"]);
    expect([rest.exitCode, Object.keys(statuses(rest.document))]).toEqual([
      0,
      ["one", "two", "three", "four"],
    ]);
    expect(project.calls()).toEqual(["1", "2", "3", "4"]);
  });

  test("that is never reached changes nothing", async () => {
    await using project = await openProject();
    const { exitCode, document } = await project.evaluate("--bail", "3");
    expect([exitCode, document.cells.length, document.warnings]).toEqual([0, 4, []]);
    for (const wrong of ["0", "x"]) expect((await project.evaluate("--bail", wrong)).exitCode).toBe(2);
  });
});

describe("--failed", () => {
  test("runs the cases that did not pass in the last run, and new ones", async () => {
    await using project = await openProject();
    await project.evaluate();
    project.writeTasks(2);

    const second = await project.evaluate("--failed", "--min-completion", "0.5");
    expect(statuses(second.document)).toEqual({ two: "pass", four: "fail" });
    expect([second.exitCode, second.document.cases.length]).toEqual([0, 2]);
    expect(second.document.warnings).toContainEqual(
      expect.stringMatching(/^--failed: 2 of 4 cases run, the others passed in run \S+$/),
    );
    const third = await project.evaluate("--failed");
    expect(statuses(third.document)).toMatchObject({ four: "fail" });
    expect(project.calls().filter((n) => n === "4")).toHaveLength(3);
  });

  test("runs a case that passed and was edited since", async () => {
    await using project = await openProject();
    project.writeTasks(2);
    await project.evaluate();
    project.writeTasks(0); // "two" fails now
    expect(statuses((await project.evaluate("--failed")).document)).toEqual({ two: "fail", four: "fail" });
  });

  test("runs a case that passed in fewer trials than it has now", async () => {
    await using project = await openProject();
    await project.evaluate();
    const more = await project.evaluate("--failed", "--runs", "2");
    expect(more.document.cells).toHaveLength(8);
  });

  test.each([
    ["trigger", ["trigger", "tea"], ["a cup of tea", "zzz"]],
    ["planbench", ["planbench", "bench.yaml"], []],
    ["agent", ["agent", "eval", "evals"], []],
  ])("at the level %s a case that is fixed has a verdict without the others", async (_, argv, queries) => {
    const files = (isFixed: boolean) => ({
      "tea/SKILL.md": "---\nname: tea\ndescription: Makes tea. Use for a cup of tea.\n---\nMake tea.\n",
      "tea/eval.yaml": { triggering: { should_match: isFixed ? ["a cup of tea", "zzz tea"] : queries } },
      "evals/suite.json": {
        suite: "evals",
        cases: ["fines", isFixed ? "fines" : "hours"].map((skill, n) =>
          scripted(`c${n}`, { expect: { skills_all_of: [skill] } }),
        ),
      },
      "plan.schema.json": { type: "object", required: ["steps"] },
      "bench.yaml": {
        ...{ id: "desk", schema: "plan.schema.json", target: { type: "model", model: "mock" } },
        ...{ max_repairs: 0 },
        cases: [{ steps: [] }, isFixed ? { steps: [] } : {}].map((plan, n) => ({
          ...{ id: `p${n}`, input: "a plan", mock: [plan] },
        })),
      },
    });
    await using project = await agentProject(files(false));
    expect((await project.run([...argv, "--json"])).document.total).toBe(2);
    for (const [path, content] of Object.entries(files(true))) project.write(path, content);

    const { exitCode, document } = await project.run([...argv, "--failed", "--json"]);

    expect([exitCode, document.total, document.passed]).toEqual([0, 1, 1]);
  });

  test("runs everything, and says so, where there is no earlier run or nothing failed in it", async () => {
    await using project = await openProject();
    const first = await project.evaluate("--failed");
    expect(first.document.cells).toHaveLength(4);
    expect(first.document.warnings).toContain("there is no earlier run: --failed runs everything");

    await project.evaluate("--case", "one", "three");
    const again = await project.evaluate("--failed", "--case", "one", "three");
    expect(again.document.cells).toHaveLength(2);
    expect(again.document.warnings).toEqual([
      expect.stringMatching(/^everything passed in run \S+: --failed runs everything$/),
    ]);
  });
});

describe("--changed", () => {
  test("keeps what nothing has changed of, says where it comes from, and runs what has changed", async () => {
    await using project = await openProject();
    const first = await project.evaluate("--runs", "2");
    const { id } = first.document.run;

    const second = await project.evaluate("--runs", "2", "--changed");
    expect(project.calls()).toHaveLength(8); // nothing ran
    expect(second.stderr).not.toContain("the log lacked");
    expect(second.document.run.reused).toEqual({ cells: 8, runs: [id], isAll: false });
    expect(second.document.subjects).toEqual(first.document.subjects);
    expect(second.document.cells.every(({ reusedFrom }: CellResult) => reusedFrom === id)).toBe(true);

    project.writeTasks(2);
    const third = await project.evaluate("--runs", "2", "--changed");
    expect(project.calls()).toHaveLength(10);
    expect(statuses(third.document)).toEqual({ one: "pass", two: "pass", three: "pass", four: "fail" });
    expect(third.document.run.reused).toMatchObject({ cells: 6, runs: [id] });

    appendFileSync(project.at("skills/echo/run.mjs"), "\n");
    expect((await project.evaluate("--runs", "2", "--changed")).document.run.reused).toBeUndefined();
  });

  test.each([
    ["the skill names", "lib/answer.mjs"],
    ["such a file names", "lib/more.mjs"],
    ["the scorer imports", "rules.mjs"],
  ])("keeps no verdict where a file changed that %s", async (_, changed) => {
    await using project = await openProject();
    project.write("lib/answer.mjs", 'import { more } from "./more.mjs";\nexport const answer = more * 1;\n');
    project.write("lib/more.mjs", "export const more = 1;\n");
    project.write("rules.mjs", "export const wanted = 1;\n");
    project.write(
      "score.mjs",
      'import { wanted } from "./rules.mjs";\nexport default ({ output }) => output === wanted;\n',
    );
    project.write(
      "skills/echo/run.mjs",
      `import { answer } from "../../lib/answer.mjs";\n${program.replace("?? params.n", "?? answer")}`,
    );
    project.write("bench.json", {
      ...{ id: "bench", name: "Bench", version: "1.0.0" },
      tasks: [
        {
          id: "one",
          inputData: { n: 1 },
          expectedOutput: { type: "custom", customScorerPath: "./score.mjs" },
        },
      ],
    });
    const run = async () => {
      const { document, exitCode } = await project.evaluate("--changed", "--min-completion", "1");
      return [exitCode, document.run.reused?.cells ?? 0];
    };
    expect([await run(), await run()]).toEqual([
      [0, 0],
      [0, 1],
    ]);

    project.write(changed, project.read(changed).replace("1;", "2;"));

    expect(await run()).toEqual([1, 0]);
  });

  test("keeps no verdict that took a retry", async () => {
    await using project = await openProject();
    project.write("skills/echo/run.mjs", failsOnce + program);
    const line = ["--case", "one", "--retries", "1"];
    const first = await project.evaluate(...line);
    expect(first.document.cells).toMatchObject([{ status: "pass", attempts: [{}, {}] }]);

    expect((await project.evaluate(...line, "--changed")).document.run.reused).toBeUndefined();
    expect((await project.evaluate(...line, "--changed")).document.run.reused).toMatchObject({ cells: 1 });
  });

  test("keeps no verdict of weaker containment under a stronger one, and none that is invalid", async () => {
    await using project = await openProject();
    project.write("bench.json", {
      ...{ id: "bench", name: "Bench", version: "1.0.0" },
      tasks: [
        { ...task("odd", { n: 1 }), expectedOutput: { type: "custom", customScorerPath: "./none.mjs" } },
      ],
    });
    project.write("none.mjs", "export default () => process.exit(0);");
    expect((await project.evaluate()).exitCode).toBe(3);
    await project.evaluate("--changed");
    expect(project.calls()).toHaveLength(2);
  });

  test("at the level of triggers keeps what the router decided, and asks a live model again unless all shall be kept", async () => {
    await using project = await triggerProject(scripts.never);
    project.addSkill("crane");
    const line = ["trigger", "skills", "--json"];
    const router = [...line, "--judge", "router"];
    const total = (await project.run(router)).document.cells.length;
    expect((await project.run([...router, "--changed"])).document.run.reused).toMatchObject({ cells: total });

    const model = [...line, "--judge-model", "lab/judge", "--runs", "2"];
    const asked = (await project.run(model)).document.cells.length;
    expect((await project.run([...model, "--changed"])).document.run.reused).toBeUndefined();
    expect((await project.run([...model, "--changed", "reuse-all"])).document.run.reused).toMatchObject({
      cells: asked,
      isAll: true,
    });
    expect(await project.run([...model, "--changed", "everything"])).toMatchObject({ exitCode: 2 });
  });

  test("at the level of agents keeps what scripts decided", async () => {
    const cases = ["one", "two"].map((id) => scripted(id, { expect: { skills_all_of: ["hours"] } }));
    await using project = await agentProject({ "evals/suite.yaml": { suite: "desk", cases } });
    const first = await project.run(["agent", "eval", "evals", "--json"]);
    const second = await project.run(["agent", "eval", "evals", "--changed", "--json"]);

    expect(second.document.run.reused).toMatchObject({ cells: 2 });
    expect(second.exitCode).toBe(first.exitCode);
    expect(project.runs()).toHaveLength(2);
  });
});
