import { expect, test } from "vitest";
import { type EvalProject, evalProject, task } from "../../../test/eval-project.ts";
import type { GateReport } from "../../contract/document.ts";
import { type EvaluateOptions, evaluate } from "./evaluate.ts";

/** The skill writes down its calls beside its folder, which the sandbox would prevent. */
function suite({ at }: EvalProject): EvaluateOptions {
  return { skills: ["skill"], benchmark: "./bench.json", sandbox: "process", cwd: at(".") };
}

const unscored = { type: "custom", customScorerPath: "./none.mjs" };

/** Ten tasks that are answered rightly, of which so many get no verdict. */
async function projectWithInvalid(count: number) {
  const project = await evalProject(
    Array.from({ length: 10 }, (_, n) =>
      task(`t${n}`, {}, n < count ? { expectedOutput: unscored } : undefined),
    ),
  );
  project.write("none.mjs", "export default () => process.exit(0);");
  return project;
}

/** Ten tasks, so many of them answered rightly. */
function projectWithRight(count: number) {
  return evalProject(Array.from({ length: 10 }, (_, n) => task(`t${n}`, n < count ? {} : { answer: 0 })));
}

test.each<[string, Partial<EvaluateOptions>, 0 | 1]>([
  ["a threshold that was typed is enforced", { minCompletion: 0.9 }, 1],
  ["the lower bound that was typed is enforced", { gateOn: "lower" }, 1],
  ["the default threshold is not", {}, 0],
  ["unless that is typed", { exitOnFail: true }, 0],
  ["nor is a typed one where it shall only inform", { minCompletion: 0.9, exitOnFail: false }, 0],
])("%s", async (_, options, exitCode) => {
  await using project = await projectWithRight(8);

  const { report } = await evaluate({ ...suite(project), ...options });

  expect(report.exitCode).toBe(exitCode);
  const { exitOnFail = Object.keys(options).length > 0 } = options;
  expect(report.gates).toMatchObject([{ enforced: exitOnFail, passed: exitOnFail ? exitCode === 0 : null }]);
});

test("nine of ten without a verdict are no green where half is accepted", async () => {
  await using project = await projectWithInvalid(9);

  const { report } = await evaluate({
    ...suite(project),
    maxInvalid: 0.5,
    minCompletion: 0.8,
  });

  expect(report.exitCode).toBe(3);
  expect(report.subjects).toMatchObject([
    {
      unknown: { count: 9, of: 10, maxShare: 0.5 },
      metrics: { completionRate: { value: 1 }, completionWithInvalid: { value: 0.1 } },
    },
  ]);
});

test("what is accepted is accepted", async () => {
  await using project = await projectWithInvalid(1);

  const { report } = await evaluate({
    ...suite(project),
    maxInvalid: 0.1,
    minCompletion: 0.8,
  });

  expect(report.exitCode).toBe(0);
});

test("few tasks that all pass are no proof, however often each is tried, and that is said before the run", async () => {
  for (const [tasks, cases] of [
    [2, "2 tasks"],
    [3, "3 tasks"],
  ] as const) {
    await using project = await evalProject(Array.from({ length: tasks }, (_, n) => task(`t${n}`)));
    const before: string[] = [];

    const { report } = await evaluate({
      ...suite(project),
      ...{ runs: 10, gateOn: "lower", minCompletion: 0.8 },
      onEvent: (event) => {
        if (event.type === "attempt-started") before.push("a cell");
        if (event.type === "warning") before.push(event.message);
      },
    });

    expect(report).toMatchObject({ passed: tasks * 10, total: tasks * 10, exitCode: 1 });
    const warning = before
      .slice(0, before.indexOf("a cell"))
      .find((words) => words.includes("cannot be met"));
    expect(warning).toContain(`cannot be met with ${cases}`);
    expect(report.warnings).toContain(warning);
  }
});

test("a threshold of 0 says that it cannot fail", async () => {
  await using project = await projectWithRight(0);

  const { report } = await evaluate({ ...suite(project), minCompletion: 0 });

  expect(report).toMatchObject({ exitCode: 0, warnings: ["the gate on completion at 0% cannot fail"] });
});

/** Crashes on the first call for eight of ten tasks, and answers rightly from then on. */
const crashing = `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { id, params } = JSON.parse(text);
const before = existsSync(process.env.CALLS) ? readFileSync(process.env.CALLS, "utf8").split("\\n") : [];
appendFileSync(process.env.CALLS, params.name + "\\n");
if (!before.includes(params.name) && !["t0", "t1"].includes(params.name)) process.exit(3);
console.log(JSON.stringify({ jsonrpc: "2.0", id, result: params.answer }));
`;

test("retries do not hide a skill that crashes where they are counted", async () => {
  await using project = await projectWithRight(10);
  project.program(crashing);

  const { report } = await evaluate({
    ...suite(project),
    ...{ retries: 20, maxErrorRate: 0.1, countRetries: true },
  });

  expect(report.exitCode).toBe(1);
  expect(report.subjects).toMatchObject([
    {
      counts: { pass: 10 },
      metrics: { errorRate: { value: 0 }, errorRateWithRetries: { value: 0.8 }, retriedRate: { value: 0.8 } },
    },
  ]);
  expect(report.gates).toMatchObject([
    { metric: "completionRate", passed: true },
    { metric: "errorRateWithRetries", op: "<=", threshold: 0.1, value: 0.8, passed: false },
  ]);
});

test.each<[string, object[], Partial<EvaluateOptions>, Partial<GateReport>, 0 | 1]>([
  [
    "errors within the limit",
    [task("a"), task("b", { crash: true })],
    { maxErrorRate: 0.5 },
    { metric: "errorRate", on: "point", value: 0.5, passed: true },
    0,
  ],
  [
    "errors whose upper bound is above it",
    [task("a"), task("b")],
    { maxErrorRate: 0.5, gateOn: "lower", minCompletion: 0.1 },
    { metric: "errorRate", on: "upper", passed: false },
    1,
  ],
  [
    "a timeout, at its deadline",
    [task("a"), task("late", { until: "/never" }, { timeoutMs: 1000 })],
    { maxP95Ms: 900 },
    {
      metric: "latencyP95Ms",
      op: "<=",
      threshold: 900,
      value: expect.toSatisfy((ms) => ms >= 1000),
      passed: false,
    },
    1,
  ],
  ["a quick answer", [task("a")], { maxP95Ms: 30_000 }, { metric: "latencyP95Ms", passed: true }, 0],
])("%s", async (_, tasks, options, gate, exitCode) => {
  await using project = await evalProject(tasks);

  const { report } = await evaluate({ ...suite(project), minCompletion: 0.001, ...options });

  expect(report.exitCode).toBe(exitCode);
  expect(report.gates).toContainEqual(expect.objectContaining(gate));
});

test("--count-retries alone is refused: it would do nothing", async () => {
  await using project = await projectWithRight(1);

  await expect(evaluate({ ...suite(project), countRetries: true })).rejects.toMatchObject({ code: "usage" });
});

test("--family-wise corrects the lower bound for the number of skills, and is refused where nothing is a bound", async () => {
  await using project = await projectWithRight(10);
  const options = { ...suite(project), familyWise: true, minCompletion: 0.6 };

  const { report } = await evaluate({ ...options, gateOn: "lower" });

  expect(report.gates).toMatchObject([{ on: "lower", passed: true, familyWise: { verdicts: 1 } }]);
  await expect(evaluate(options)).rejects.toThrow("--family-wise has no effect without --gate-on lower");
});

/** Answers rightly, and says that it used this. */
const using = (usage: string) => `
let text = "";
for await (const chunk of process.stdin) text += chunk;
const { id, params } = JSON.parse(text);
console.log(JSON.stringify({ jsonrpc: "2.0", id, result: params.answer, usage: ${usage} }));
`;

test.each<[string, string, number, Partial<Record<"value" | "passed", unknown>>, number, 0 | 3]>([
  ["within the limit", "{ costUsd: 0.01 }", 0.2, { value: 0.1, passed: true }, 0, 0],
  ["reached: nothing more begins", "{ costUsd: 0.01 }", 0.035, { value: 0.04, passed: false }, 6, 3],
  ["unknown", "{ promptTokens: 10 }", 1, { value: null, passed: null }, 0, 3],
])("--max-cost over what skills say they used: %s", async (_, usage, maxCostUsd, gate, invalid, exitCode) => {
  await using project = await projectWithRight(10);
  project.program(using(usage));

  const { report } = await evaluate({ ...suite(project), concurrency: 1, maxCostUsd });

  expect(report.exitCode).toBe(exitCode);
  expect(report.subjects).toMatchObject([{ counts: { invalid, pass: 10 - invalid } }]);
  expect(report.gates).toContainEqual(expect.objectContaining({ metric: "runCostUsd", ...gate }));
});

test("a judge without a price is refused before a run that may not cost everything", async () => {
  const asked = { type: "llm_judge", judgePrompt: "Is it 42?" };
  await using project = await evalProject([task("a", {}, { expectedOutput: asked })]);
  const models = { lab: { baseUrl: "http://127.0.0.1:9/v1", apiKeyEnv: false as const } };

  const run = evaluate({
    ...suite(project),
    ...{ maxCostUsd: 1, config: { llm: { model: "lab/judge" }, models } },
  });

  await expect(run).rejects.toMatchObject({ code: "config-invalid", jsonPath: '$.prices["lab/judge"]' });
  expect(project.called()).toEqual([]);
});
