import { describe, expect, test } from "vitest";
import { agentProject, answer, scripted, select } from "../../../test/agent-project.ts";
import { skillManifest } from "../../../test/eval-project.ts";
import type { GateReport } from "../../contract/document.ts";

/** Always 42, whatever it is asked. */
const module = "export const invoke = async () => 42;\n";

/** Something of every level, half of which fails: a skill, requests, agent cases, conversations and a bench. */
const files = {
  "calc/skill.json": { ...skillManifest, id: "calc", adapterType: "custom", entrypoint: "./skill.mjs" },
  "calc/skill.mjs": module,
  "legacy/skill.json": {
    ...skillManifest,
    id: "legacy-calc",
    adapterType: "custom",
    entrypoint: "./skill.mjs",
  },
  "legacy/skill.mjs": module,
  "tasks.json": [42, 7].map((value) => ({
    id: `t${value}`,
    inputData: { value },
    expectedOutput: { type: "exact", value },
  })),
  "tea/SKILL.md": "---\nname: tea\ndescription: Makes tea. Use for a cup of tea.\n---\nMake tea.\n",
  "tea/eval.yaml": "triggering:\n  should_match: [a cup of tea, zzz]\n  should_not_match: [a poem]\n",
  "evals/suite.json": {
    suite: "evals",
    cases: ["fines", "hours"].map((skill) =>
      scripted(skill, { expect: { skills_all_of: [skill] } }, [select("fines"), answer("due")]),
    ),
  },
  "counter/skill.json": {
    schema_version: "ah32.skill.v1",
    meta: { id: "counter", name: "counter" },
    entry: { system_prompt: "SYSTEM.md" },
  },
  "counter/SYSTEM.md": "Count.\n",
  "talks.json": {
    suite: "talks",
    cases: ["three", "four"].map((word) => ({
      id: word,
      kind: "conversation",
      input: "count the words",
      setup: { skill_roots: ["."], route: { forced: "counter" } },
      mock: { turns: [{ final: "three" }] },
      expect: { output: { contains_all: [word] } },
    })),
  },
  "plan.schema.json": { type: "object", required: ["steps"] },
  "bench.yaml": {
    id: "desk",
    schema: "plan.schema.json",
    target: { type: "model", model: "mock" },
    max_repairs: 0,
    cases: [{ steps: ["a"] }, {}].map((plan, n) => ({ id: `p${n}`, input: "a plan", mock: [plan] })),
  },
};

const evaluate = ["eval", "--skills", "calc", "--tasks", "tasks.json"];

async function run(gates: unknown, argv: string[], config: object = {}) {
  await using project = await agentProject({
    ...files,
    "eval-skills.config.yaml": typeof gates === "string" ? gates : { gates, ...config },
  });
  const { exitCode, stdout, stderr } = await project.run([...argv, "--json"]);
  const found: GateReport[] = JSON.parse(stdout).gates ?? [];
  return { exitCode, stdout, stderr, gates: found };
}

const levels: [level: string, argv: string[], metric: string][] = [
  ["unit", evaluate, "completionRate"],
  ["trigger", ["trigger", "tea"], "passRate"],
  ["agent", ["agent", "eval", "evals"], "passRate"],
  ["conversation", ["agent", "eval", "talks.json"], "passRate"],
  ["planbench", ["planbench", "bench.yaml"], "successRate"],
];

describe.each(levels)("gates of the project file at %s", (level, argv, metric) => {
  test("are enforced without a flag: on the share that passed, on errors and on time", async () => {
    const other = { level: level === "unit" ? "planbench" : "unit", minCompletion: 0.99 };
    const own = { level, minCompletion: 0.9, maxErrorRate: 0.5, maxP95Ms: 60_000 };
    const { exitCode, gates, stderr } = await run([other, own], argv);

    expect(exitCode, stderr).toBe(1);
    const time = level === "planbench" ? "sampleP95Ms" : "latencyP95Ms";
    expect(gates.filter((gate) => [metric, "errorRate", time].includes(gate.metric))).toMatchObject([
      { level, metric, threshold: 0.9, on: "point", enforced: true, passed: false },
      { level, metric: "errorRate", on: "point", op: "<=", threshold: 0.5, passed: true },
      { level, metric: time, on: "point", op: "<=", threshold: 60_000, passed: true },
    ]);
  });
});

test.each([
  ["trigger", ["trigger", "tea"], ["recall", "precision"]],
  ["agent", ["agent", "eval", "evals"], ["recall", "precision"]],
])("recall and precision are gates at %s", async (level, argv, metrics) => {
  const { exitCode, gates } = await run([{ level, minRecall: 1, minPrecision: 0.1 }], argv);

  expect(exitCode).toBe(1);
  expect(gates.filter(({ subject }) => subject !== null)).toMatchObject(
    metrics.map((metric) => ({ metric })),
  );
});

describe("which entry decides", () => {
  const both = ["eval", "--skills", "calc", "legacy", "--tasks", "tasks.json"];
  const catchAll = { minCompletion: 0.9 };

  test("is the first that matches the skill, and the default threshold gives way to it", async () => {
    const { exitCode, gates } = await run([{ skill: "legacy-*", minCompletion: 0.4 }, catchAll], both);

    expect(exitCode).toBe(1);
    expect(gates.map(({ subject, threshold, passed }) => [subject?.skillId, threshold, passed])).toEqual([
      ["legacy-calc", 0.4, true],
      ["calc", 0.9, false],
    ]);
  });

  test("is not one that demands only what the level does not measure", async () => {
    const { gates } = await run([{ minRecall: 0.9 }, catchAll], evaluate);

    expect(gates).toMatchObject([{ metric: "completionRate", threshold: 0.9 }]);
  });

  test.each<[string, object[], string[], object[], number]>([
    [
      "a flag comes before every entry, key by key",
      [{ minCompletion: 0.9, maxErrorRate: 0.1 }],
      ["--min-completion", "0.5"],
      [
        { metric: "completionRate", threshold: 0.5, passed: true },
        { metric: "errorRate", threshold: 0.1, passed: true },
      ],
      0,
    ],
    [
      "--gate-on comes before `on`",
      [{ minCompletion: 0.4, on: "point" }],
      ["--gate-on", "lower"],
      [{ on: "lower", threshold: 0.4, passed: false }],
      1,
    ],
    [
      "--no-exit-on-fail makes them informative",
      [catchAll],
      ["--no-exit-on-fail"],
      [{ threshold: 0.9, enforced: false, passed: null }],
      0,
    ],
    [
      "a lower bound of passes is an upper bound of errors",
      [{ maxErrorRate: 0.1, on: "lower" }],
      [],
      [{ enforced: false }, { on: "upper", metric: "errorRate", threshold: 0.1, passed: false }],
      1,
    ],
    [
      "a lower bound is corrected with --family-wise",
      [{ minCompletion: 0.9, on: "lower" }],
      ["--family-wise"],
      [{ on: "lower", familyWise: { verdicts: 1 } }],
      1,
    ],
    [
      "--count-retries counts for the error rate of the file",
      [{ maxErrorRate: 0.1 }],
      ["--count-retries"],
      [{ metric: "completionRate", enforced: false }, { metric: "errorRateWithRetries" }],
      0,
    ],
  ])("%s", async (_, entries, flags, gates, exitCode) => {
    const end = await run(entries, [...evaluate, ...flags]);

    expect(end.gates).toMatchObject(gates);
    expect([end.gates.length, end.exitCode]).toEqual([gates.length, exitCode]);
  });

  test("a typed flag of tasks leaves the gate of requests alone", async () => {
    const { gates } = await run(
      [{ level: "trigger", minCompletion: 0.9 }],
      ["trigger", "tea", "--min-recall", "0.1"],
    );

    expect(gates).toMatchObject([
      { metric: "recall", threshold: 0.1 },
      { metric: "failedQueries" },
      { metric: "passRate", threshold: 0.9, passed: false },
    ]);
  });
});

describe("what is accepted without a verdict", () => {
  const unscored = {
    ...files["tasks.json"][1],
    expectedOutput: { type: "custom", customScorerPath: "no.mjs" },
  };
  const withInvalid = {
    ...files,
    "no.mjs": "export default () => process.exit(0);",
    "tasks.json": [files["tasks.json"][0], unscored],
  };

  test.each([
    ["nothing by default", [{ minCompletion: 0.5 }], [], 3],
    ["what an entry says", [{ minCompletion: 0.5, maxInvalid: 0.5 }], [], 0],
    ["for whom it says it", [{ skill: "other", maxInvalid: 0.5 }, { minCompletion: 0.5 }], [], 3],
    ["less where that is typed", [{ minCompletion: 0.5, maxInvalid: 0.5 }], ["--max-invalid", "0.1"], 3],
  ])("is %s", async (_, gates, flags, exitCode) => {
    await using project = await agentProject({ ...withInvalid, "eval-skills.config.yaml": { gates } });

    expect((await project.run([...evaluate, ...flags])).exitCode).toBe(exitCode);
  });
});

test("the coverage of an entry is what a comparison needs of its skill", async () => {
  await using project = await agentProject({
    ...files,
    "eval-skills.config.yaml": { gates: [{ skill: "other", minCoverage: 0 }, { minCoverage: 0.5 }] },
  });
  await project.run([...evaluate, "--runs", "3", "--output-dir", "a"]);
  project.write("tasks.json", [
    files["tasks.json"][0],
    { ...files["tasks.json"][1], inputData: { value: 8 } },
  ]);
  await project.run([...evaluate, "--runs", "3", "--output-dir", "b"]);
  const diff = ["report", "diff", "a/eval-result.json", "b/eval-result.json", "--fail-on-regression"];

  expect((await project.run(diff)).exitCode).toBe(0);
  expect((await project.run([...diff, "--min-coverage", "0.8"])).exitCode).toBe(3);
  project.write("eval-skills.config.yaml", {});
  expect((await project.run(diff)).exitCode).toBe(3);
});

describe("a gate that nobody would check", () => {
  test.each([
    ["a misspelt line", "gates:\n  - { minCompletoin: 0.9 }\n", "2:7: the key $.gates[0].minCompletoin"],
    [
      "a line of another kind",
      "gates:\n  - minCompletion: 0.9\n    speed: 3\n",
      "3:5: the key $.gates[0].speed is not known",
    ],
    [
      "what nothing measures yet",
      "gates:\n  - minMutationScore: 0.9\n",
      "2:5: the key $.gates[0].minMutation",
    ],
    ["a share above 1", "gates:\n  - minCompletion: 90\n", "2:5: $.gates[0].minCompletion must be at most 1"],
    [
      "an unknown level",
      "gates:\n  - { level: units, minCompletion: 1 }\n",
      "2:7: $.gates[0].level may not be",
    ],
    ["no line at all", "gates:\n  - skill: calc\n", "2:5: $.gates[0]: has no requirement"],
    ["no list", "gates:\n  minCompletion: 0.9\n", "1:1: $.gates must be a list"],
    [
      "what its level does not measure",
      "gates:\n  - { level: unit, minRecall: 0.9 }\n",
      "$.gates[0].minRecall is not measured at unit",
    ],
  ])("is exit 2, with line and column: %s", async (_, text, message) => {
    const { exitCode, stdout } = await run(text, evaluate);

    expect(exitCode).toBe(2);
    expect(JSON.parse(stdout).error.message).toContain(
      `eval-skills.config.yaml:${message.replace(/^\$/, " $")}`,
    );
  });

  test.each<[string, object[], string]>([
    [
      "a skill whose name is misspelt",
      [{ skill: "clac", minCompletion: 0.9 }],
      "eval-skills.config.yaml: gates[0] matches no skill of this run; did you mean calc?",
    ],
    [
      "an entry that comes too late",
      [{ minCompletion: 0.1 }, { skill: "calc", minCompletion: 0.9 }],
      "eval-skills.config.yaml: gates[1] decides nothing: gates[0] comes first and matches everything",
    ],
    ["a line that nothing is below", [{ minCompletion: 0 }], "the gate on completion at 0% cannot fail"],
    [
      "a bound that cannot be met",
      [{ minCompletion: 0.8, on: "lower" }],
      "the gate on completion at 80% cannot be met with 2 tasks",
    ],
  ])("is a warning: %s", async (_, entries, warning) => {
    expect((await run(entries, evaluate)).stderr).toContain(warning);
  });

  test("is a warning where skills are only chosen", async () => {
    const { stderr, exitCode } = await run(
      [{ minCompletion: 0.9 }],
      ["run", "--skills-dir", ".", "--tasks", "tasks.json"],
    );

    expect(stderr).toContain("the gates of eval-skills.config.yaml do not apply to run");
    expect(exitCode).toBe(0);
  });
});
