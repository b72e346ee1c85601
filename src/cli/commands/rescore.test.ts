import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { type AgentProject, agentProject, scripted } from "../../../test/agent-project.ts";
import { capturedCli } from "../../../test/captured-world.ts";
import { skillManifest, task } from "../../../test/eval-project.ts";
import { scripts, triggerProject } from "../../../test/trigger-project.ts";
import type { CellResult } from "../../contract/result.ts";
import { openDatabase } from "../../shared/files/sqlite-driver.ts";

const program = `
import { appendFileSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { id, params } = JSON.parse(text);
appendFileSync(process.env.CALLS, params.name + "\\n");
if (params.crash) process.exit(3);
console.log(JSON.stringify({ jsonrpc: "2.0", id, result: params.answer }));
`;

/** A skill that answers as its tasks say and counts how often it is called. */
async function skillProject(tasks: object[]) {
  const cli = await capturedCli();
  const at = (name: string) => join(cli.cwd, name);
  const write = (name: string, content: unknown) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), typeof content === "string" ? content : JSON.stringify(content));
  };
  const writeTasks = (all: object[]) =>
    write("bench.json", { id: "bench", name: "Bench", version: "1.0.0", tasks: all });
  write("skill/skill.json", skillManifest);
  write("skill/skill.mjs", program);
  write("skill/adapter.config.json", { type: "subprocess", env: { CALLS: at("calls") } });
  writeTasks(tasks);
  const env = { PATH: process.env.PATH ?? "" };
  return {
    ...cli,
    write,
    writeTasks,
    run: (...argv: string[]) => cli.run([...argv, "--json"], { env }),
    evaluate: (...argv: string[]) =>
      cli.run(
        [
          ...["eval", "--skills", "skill", "--benchmark", "./bench.json", "--sandbox", "process"],
          ...["--exit-on-fail", "--min-completion", "1", "--retries", "0", "--json", ...argv],
        ],
        { env },
      ),
    calls: () => (existsSync(at("calls")) ? readFileSync(at("calls"), "utf8").trim().split("\n").length : 0),
  };
}

const statuses = ({ cells }: { cells: CellResult[] }) =>
  Object.fromEntries(cells.map(({ caseId, status }) => [caseId, status]));

describe("eval --rescore", () => {
  const wrong = (value: number) => task("two", { answer: 7 }, { expectedOutput: { value } });

  test("an expectation that was edited decides anew about the stored answers, and the skill is not called", async () => {
    await using project = await skillProject([task("one"), wrong(42), task("three", { crash: true })]);
    const first = await project.evaluate();
    const calls = project.calls();
    expect([first.exitCode, statuses(first.document)]).toEqual([
      1,
      { one: "pass", two: "fail", three: "error" },
    ]);

    project.writeTasks([task("one"), wrong(7), task("three", { crash: true })]);
    const { exitCode, document } = await project.run("eval", "--rescore", first.document.run.id);

    expect(project.calls()).toBe(calls);
    expect(statuses(document)).toEqual({ one: "pass", two: "pass", three: "error" });
    expect(exitCode).toBe(1); // what crashed still did
    expect(document).toMatchObject({ passed: 2, total: 3, warnings: [] });
    expect(document.run.id).not.toBe(first.document.run.id);
    const answers = ({ cells }: { cells: CellResult[] }) =>
      cells.map(({ output, latencyMs, attempts, finishedAt }) => ({
        output,
        latencyMs,
        attempts,
        finishedAt,
      }));
    expect(answers(document)).toEqual(answers(first.document));
    const [before, now] = [first.document, document].map(({ cells }) => cells[1]);
    expect(now.caseDigest).not.toBe(before.caseDigest);
    expect(now.key).not.toBe(before.key);
  });

  test("the run that was rescored stays as it was, and both are in the history", async () => {
    await using project = await skillProject([task("one"), wrong(42)]);
    const { document: first } = await project.evaluate();
    project.writeTasks([task("one"), wrong(7)]);

    const { document: second } = await project.run("eval", "--rescore", first.run.id);

    const { document: history } = await project.run("history");
    expect(history.rows).toMatchObject([
      { runId: second.run.id, rate: 1, deltaRate: null, hasNewCases: true },
      { runId: first.run.id, rate: 0.5 },
    ]);
    project.writeTasks([task("one"), wrong(42)]);
    const { document: resumed } = await project.run("eval", "--resume", first.run.id, "--sandbox", "process");
    expect(resumed.cells).toEqual(first.cells);
    expect(project.calls()).toBe(2);
    // A rescored run can be rescored in its turn.
    const { document: third } = await project.run("eval", "--rescore", second.run.id);
    expect(statuses(third)).toEqual(statuses(first));
    expect(project.calls()).toBe(2);
  });

  test("a cell that has no result there is not run: the new run has no verdict about it", async () => {
    await using project = await skillProject([task("one"), task("two")]);
    const { document: first } = await project.evaluate();
    const database = await openDatabase(join(project.cwd, "eval-skills.db"));
    database.exec("DELETE FROM results WHERE case_id = 'two'");
    database.close();

    const { exitCode, document } = await project.run("eval", "--rescore", first.run.id);

    expect(exitCode).toBe(3);
    expect(statuses(document)).toEqual({ one: "pass" });
    expect(document.warnings).toEqual([
      `1 cell cannot be rescored: run ${first.run.id} has no result for it`,
    ]);
    expect(project.calls()).toBe(2);
  });

  test("tasks in the folder of their skill are none of what it is made of", async () => {
    await using project = await skillProject([]);
    const writeTasks = (value: number) => project.write("skill/tests/own.json", [wrong(value)]);
    writeTasks(42);
    const tasks = ["--skills", "skill", "--tasks", "skill/tests/own.json", "--sandbox", "process"];
    const { document: first } = await project.run("eval", ...tasks);
    writeTasks(7);

    const { document } = await project.run("eval", "--rescore", first.run.id);

    expect([statuses(first), statuses(document)]).toEqual([{ two: "fail" }, { two: "pass" }]);
    expect(await project.run("eval", "--resume", first.run.id)).toMatchObject({ exitCode: 2 });
  });

  test("the report, its other formats and the line log are written as of any run", async () => {
    await using project = await skillProject([task("one"), wrong(42)]);
    const { document: first } = await project.evaluate(
      "--format",
      "json",
      "junit",
      "--eval-log",
      "lines.jsonl",
    );
    project.writeTasks([task("one"), wrong(7)]);

    const { document } = await project.run("eval", "--rescore", first.run.id);

    const read = (name: string) => readFileSync(join(project.cwd, name), "utf8");
    expect(document.files).toContain("reports/eval-result.xml");
    expect(JSON.parse(read("reports/eval-result.json"))).toEqual(document);
    const lines = read("lines.jsonl")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const tasks = lines.filter(({ kind }) => kind === "task");
    expect(tasks.map(({ taskId, verdict }) => `${taskId} ${verdict}`).sort()).toEqual([
      ...["one pass", "one pass", "two fail", "two pass"],
    ]);
  });

  test("what decides how answers come about may not have changed", async () => {
    await using project = await skillProject([task("one"), wrong(42)]);
    const { document: first } = await project.evaluate();
    const { id } = first.run;
    const refused = async (...argv: string[]) => {
      const { exitCode, document } = await project.run("eval", ...argv);
      return { exitCode, code: document.error?.code, message: document.error?.message };
    };
    const usage = (message: unknown) => ({ exitCode: 2, code: "usage", message });

    expect(await refused("--rescore", "20260101T000000Z-none")).toEqual({
      exitCode: 2,
      code: "nothing-to-do",
      message: expect.stringContaining("contains no run 20260101T000000Z-none"),
    });
    expect(await refused("--rescore", id, "--resume")).toEqual(
      usage("--rescore and --resume cannot be used together"),
    );
    expect(await refused("--rescore", id, "--runs", "2")).toEqual(
      usage("--runs cannot be used with --rescore: it would change the plan of the run"),
    );
    project.writeTasks([task("one", { answer: 43 }), wrong(42)]);
    expect(await refused("--rescore", id)).toEqual(
      usage(`run ${id} cannot be rescored: task one has changed since it started`),
    );
    project.writeTasks([task("one"), wrong(42), task("three")]);
    expect(await refused("--rescore", id)).toEqual(
      usage(`run ${id} cannot be rescored: task three has changed since it started`),
    );
    project.writeTasks([task("one"), wrong(42)]);
    project.write("skill/skill.mjs", `${program}// edited\n`);
    expect(await refused("--rescore", id)).toEqual(
      usage(`run ${id} cannot be rescored: skill obedient has changed since it started`),
    );
    project.write("skill/skill.mjs", program);
    const { document: second } = await project.run("eval", "--rescore", id);
    expect(await refused("--resume", second.run.id)).toEqual(
      usage(`run ${second.run.id} is a rescore of run ${id} and cannot be resumed`),
    );
    expect(await refused("--rescore")).toMatchObject({ exitCode: 2, code: "usage" });
    expect(project.calls()).toBe(2);
  });
});

describe("trigger --rescore", () => {
  const block = (positives: string[], negatives: string[]) =>
    `triggering:\n  should_match:\n${positives.map((one) => `    - "${one}"\n`).join("")}  should_not_match:\n${negatives.map((one) => `    - "${one}"\n`).join("")}`;
  const [asks, idle, late] = ["fold a crane", "what is the time", "fold a paper crane for me"] as const;

  test("a query that changed its side is decided anew, by the router that was asked before", async () => {
    await using project = await triggerProject(() => 500);
    project.addSkill("crane");
    project.write("skills/crane/eval.yaml", block([asks], [idle, late]));
    const first = await project.run(["trigger", "skills", "--judge", "router", "--json"]);
    expect([first.exitCode, first.document.passed, first.document.total]).toEqual([1, 2, 3]);

    project.write("skills/crane/eval.yaml", block([asks, late], [idle]));
    const second = await project.run(["trigger", "--rescore", first.document.run.id, "--json"]);

    expect([second.exitCode, second.document.passed, second.document.total]).toEqual([0, 3, 3]);
    expect(second.document.subjects).toMatchObject([{ metrics: { passRate: { value: 1 } } }]);

    project.write("skills/crane/eval.yaml", block([asks, `${late} now`], [idle]));
    const other = await project.run(["trigger", "--rescore", first.document.run.id, "--json"]);
    expect(other).toMatchObject({
      exitCode: 2,
      document: {
        error: { message: expect.stringMatching(/cannot be rescored: query .* of crane/) },
      },
    });
    project.write("skills/crane/eval.yaml", block([asks, late], [idle]));
    project.write(
      "skills/crane/SKILL.md",
      "---\nname: crane\ndescription: Tells the time.\n---\n\nTell it.\n",
    );
    expect(await project.run(["trigger", "--rescore", first.document.run.id, "--json"])).toMatchObject({
      exitCode: 2,
      document: { error: { message: expect.stringContaining(": skill crane") } },
    });
  });

  test("no model is asked again, however its answers are counted now", async () => {
    await using project = await triggerProject(scripts.never);
    project.addSkill("crane", { positives: 1, negatives: 1 });
    const first = await project.run([
      ...["trigger", "skills", "--judge-model", "lab/judge", "--runs", "4", "--json"],
    ]);
    const calls = project.questions.length;
    expect([first.exitCode, first.document.passed]).toEqual([1, 4]);

    project.write(
      "skills/crane/eval.yaml",
      block([], ["please fire crane number 0", "stay quiet crane number 0"]),
    );
    const second = await project.run(["trigger", "--rescore", first.document.run.id, "--json"]);

    expect([second.exitCode, second.document.passed]).toEqual([0, 8]);
    expect(project.questions).toHaveLength(calls);
  });
});

describe("planbench --rescore", () => {
  const schema = (minItems: number) => ({
    type: "object",
    required: ["steps"],
    properties: { steps: { type: "array", minItems } },
  });
  const bench = (given: object = {}) => ({
    id: "desk",
    schema: "schemas/plan.schema.json",
    target: { type: "model", model: "mock" },
    max_repairs: 0,
    cases: [{ id: "late", input: "What does it cost?", mock: [{ steps: ["a"] }], ...given }],
  });
  const openProject = () => agentProject({ "bench.yaml": bench(), "schemas/plan.schema.json": schema(2) });
  const rescore = (project: AgentProject, id: string) =>
    project.run(["planbench", "--rescore", id, "--json"]);

  test("outputs are checked against the schema and the overlays of now", async () => {
    await using project = await openProject();
    const { document: first } = await project.run(["planbench", "bench.yaml", "--json"]);
    expect(statuses(first)).toEqual({ late: "fail" });

    project.write("schemas/plan.schema.json", schema(1));
    const { document: second } = await rescore(project, first.run.id);
    expect(statuses(second)).toEqual({ late: "pass" });
    expect(second.subjects).toMatchObject([{ metrics: { successRate: { value: 1 } } }]);

    project.write("bench.yaml", bench({ overlay: { required: ["title"] } }));
    expect(statuses((await rescore(project, first.run.id)).document)).toEqual({ late: "fail" });
  });

  test("another request, another reply and another limit are another run", async () => {
    await using project = await openProject();
    const { document: first } = await project.run(["planbench", "bench.yaml", "--json"]);
    const refusal = async (content: object) => {
      project.write("bench.yaml", content);
      const { exitCode, document } = await rescore(project, first.run.id);
      return `${exitCode} ${document.error.message}`;
    };

    expect(await refusal(bench({ input: "Something else?" }))).toContain("2 run");
    expect(await refusal(bench({ input: "Something else?" }))).toContain(
      "case late has changed since it started",
    );
    expect(await refusal(bench({ mock: [{ steps: [] }] }))).toContain(": the replies of late");
    expect(await refusal({ ...bench(), max_repairs: 1 })).toContain(": the key max_repairs");
  });
});

describe("agent eval --rescore", () => {
  const suite = (expected: object, more: object = {}) => ({
    suite: "desk",
    cases: [
      scripted("one", { expect: expected, ...more }),
      { id: "pure", kind: "json_extract", input: { text: "{}" }, expect: { value: {} } },
    ],
  });
  const openProject = () => agentProject({ "evals/suite.yaml": suite({ skills_all_of: ["hours"] }) });
  const rescore = (project: AgentProject, id: string) =>
    project.run(["agent", "eval", "--rescore", id, "--json"]);

  test("an expectation that was edited is graded from what the run left, and no agent runs", async () => {
    await using project = await openProject();
    const first = await project.run(["agent", "eval", "evals", "--json"]);
    expect([first.exitCode, statuses(first.document)]).toEqual([1, { one: "fail", pure: "pass" }]);

    project.write("evals/suite.yaml", suite({ skills_all_of: ["fines"] }));
    const second = await rescore(project, first.document.run.id);

    expect([second.exitCode, statuses(second.document)]).toEqual([0, { one: "pass", pure: "pass" }]);
    expect(project.runs()).toHaveLength(1);
    const { document: history } = await project.run(["history", "--json"]);
    expect(new Set(history.rows.map(({ runId }: { runId: string }) => runId))).toEqual(
      new Set([first.document.run.id, second.document.run.id]),
    );
  });

  test("another request, skill or limit is another run", async () => {
    await using project = await openProject();
    const { document: first } = await project.run(["agent", "eval", "evals", "--json"]);
    const refusal = async () => {
      const { exitCode, document } = await rescore(project, first.run.id);
      return `${exitCode} ${document.error.message}`;
    };
    const same = { skills_all_of: ["hours"] };

    project.write("evals/suite.yaml", suite(same, { input: "When is it open?" }));
    expect(await refusal()).toContain("case desk/one has changed since it started");
    project.write("evals/suite.yaml", suite(same, { constraints: { max_turns: 3 } }));
    expect(await refusal()).toContain("the limits of desk/one");
    project.write("evals/suite.yaml", suite(same));
    project.write(".agent/skills/fines/references/rules.md", "# Other rules\n");
    expect(await refusal()).toContain("the skills of desk/one");
  });

  test("conversations are graded anew from what was said", async () => {
    const conversation = (expected: object) => ({
      suite: "talks",
      cases: [
        {
          id: "weather",
          kind: "conversation",
          input: "what will the weather be like?",
          setup: { skill_roots: ["./skills"] },
          mock: { turns: [{ final: "I cannot see the weather." }] },
          expect: expected,
        },
      ],
    });
    await using project = await agentProject();
    await project.run(["create", "--name", "read_back", "--from-template", "prompt_tools"]);
    project.write("talks.yaml", conversation({ tool_calls: [{ name: "echo_query" }] }));
    const first = await project.run(["agent", "eval", "talks.yaml", "--json"]);
    project.write("talks.yaml", conversation({ tool_calls: [] }));

    const second = await rescore(project, first.document.run.id);

    expect([first.exitCode, statuses(first.document)]).toEqual([1, { weather: "fail" }]);
    expect([second.exitCode, statuses(second.document)]).toEqual([0, { weather: "pass" }]);
    expect(second.document.cells[0].output).toEqual(first.document.cells[0].output);
    project.write("talks.yaml", conversation({ output: { contract: true } }));
    expect((await rescore(project, first.document.run.id)).document.error.message).toContain(
      "case talks/weather has changed since it started",
    );
    project.write("talks.yaml", conversation({ tool_calls: [] }));
    project.write("skills/read_back/SYSTEM.md", "Other words.\n");
    expect((await rescore(project, first.document.run.id)).document.error.message).toContain(
      "the skills of talks/weather has changed since it started",
    );
  });

  test("a run whose directory is gone has no verdict any more", async () => {
    await using project = await openProject();
    const { document: first } = await project.run(["agent", "eval", "evals", "--json"]);
    rmSync(project.at(".agent/runs"), { recursive: true });

    const { exitCode, document } = await rescore(project, first.run.id);

    expect([exitCode, statuses(document)]).toEqual([3, { one: "invalid", pure: "pass" }]);
    expect(document.cells.find(({ caseId }: CellResult) => caseId === "one")).toMatchObject({
      cause: "log-damaged",
      reason: expect.stringMatching(/the run directory \.agent\/runs\/.* no longer exists/),
    });
    expect(project.runs()).toEqual([]);
  });
});
