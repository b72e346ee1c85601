import { describe, expect, test } from "vitest";
import { agentProject, answer, scripted } from "../../../test/agent-project.ts";
import { skillManifest } from "../../../test/eval-project.ts";

/** Each way is one that could end green although nothing was tested, or nothing that could fail. */
type Way = [what: string, files: Record<string, unknown>, argv: string[], exitCode: number];

const files = {
  "calc/skill.json": { ...skillManifest, id: "calc", adapterType: "custom", entrypoint: "./skill.mjs" },
  "calc/skill.mjs": "export const invoke = async ({ answer }) => answer;\n",
  "tea/SKILL.md": "---\nname: tea\ndescription: Makes tea. Use for a cup of tea.\n---\nMake tea.\n",
};

const one = (expectedOutput: object, more: object = {}) => [
  { id: "a", inputData: { answer: 42 }, expectedOutput, ...more },
];
const exact = { type: "exact", value: 42 };
const gate = ["--min-completion", "0.8"];
const evaluate = (...flags: string[]) => [
  "eval",
  "--skills",
  "calc",
  "--tasks",
  "tasks.json",
  ...gate,
  ...flags,
];
const tasks = (content: unknown) => ({ "tasks.json": content });
const good = tasks(one(exact));

const tasksWays: Way[] = [
  ["a file without tasks", tasks([]), evaluate(), 2],
  ["one id for two tasks", tasks([...one(exact), ...one({ type: "exact", value: 1 })]), evaluate(), 2],
  ["no keywords", tasks(one({ type: "contains", keywords: [] })), evaluate(), 2],
  ["no patterns", tasks(one({ type: "regex", patterns: [] })), evaluate(), 2],
  ["an error that is any", tasks(one({ type: "error", contains: "" })), evaluate(), 2],
  ["an error of no code", tasks(one({ type: "error", code: [] })), evaluate(), 2],
  ["an error of no status", tasks(one({ type: "error", status: [] })), evaluate(), 2],
  ["an error with any message", tasks(one({ type: "error", patterns: [".*"] })), evaluate(), 2],
  ["any number", tasks(one({ type: "close_to", value: 1, relTol: 1e9 })), evaluate(), 2],
  ["keywords beside the value that is compared", tasks(one({ ...exact, keywords: ["no"] })), evaluate(), 2],
  ["an unknown key of what is expected", tasks(one({ ...exact, least: 50 })), evaluate(), 2],
  ["an unknown key of how to compare", tasks(one(exact, { evaluator: { must: "50" } })), evaluate(), 2],
  ["a tag that no task has", good, evaluate("--task-tag", "nope"), 2],
  ["a task that is not there, beside one that is", good, evaluate("--case", "a", "nope"), 2],
  ["no trial", good, evaluate("--runs", "0"), 2],
  ["a threshold that is no number", good, evaluate("--min-completion", "NaN"), 2],
  ["a threshold in percent", good, evaluate("--min-completion", "80"), 2],
  ["an empty threshold", good, evaluate("--min-completion="), 2],
  ["a limit below 0", good, evaluate("--max-error-rate", "-0.1"), 2],
  ["a pattern of skills that matches none", good, [...evaluate(), "--skills", "no*"], 2],
  [
    "tasks that weigh nothing",
    {
      "bench.json": {
        ...{ id: "w", name: "w", version: "1", scoringMethod: "weighted_mean" },
        tasks: one(exact, { weight: 0 }),
      },
    },
    ["eval", "--skills", "calc", "--benchmark", "./bench.json", ...gate],
    2,
  ],
  [
    "a score that is no number",
    {
      ...tasks(one({ type: "custom", customScorerPath: "./nan.mjs" })),
      "nan.mjs":
        "export default ({ output }) => ({ score: output === 42 ? NaN : 0, passed: output === 42 });",
    },
    evaluate(),
    3,
  ],
  [
    "a skill that does nothing",
    { ...good, "calc/skill.mjs": "export const invoke = async () => {};\n" },
    evaluate(),
    1,
  ],
];

const requests = (text: string) => ({ "tea/eval.yaml": `triggering:\n${text}` });
const triggerWays: Way[] = [
  ["no request", requests("  should_match: []\n  should_not_match: []\n"), ["trigger", "tea"], 2],
  ["no request file", {}, ["trigger", "tea", "--min-recall", "0.9"], 2],
  ["required requests that are not there", {}, ["trigger", "tea", "--require-triggering"], 1],
  [
    "a recall of nothing",
    requests("  should_not_match: [a poem]\n"),
    ["trigger", "tea", "--min-recall", "0.9"],
    3,
  ],
  [
    "a request that is not there",
    requests("  should_match: [a cup of tea]\n"),
    ["trigger", "tea", "--case", "x"],
    2,
  ],
];

const suite = (...cases: object[]) => ({ "evals/suite.json": { suite: "evals", cases } });
const said = scripted("said", { expect: { output: { contains_all: ["due"] } } }, [answer("due")]);
const agent = (...flags: string[]) => ["agent", "eval", "evals", ...flags];
const agentWays: Way[] = [
  ["no case", suite(), agent("--min-pass-rate", "0.9"), 2],
  [
    "an unknown key of what is expected",
    suite({ ...said, expect: { ...said.expect, must_not_call: ["x"] } }),
    agent(),
    2,
  ],
  ["an unknown limit", suite({ ...said, constraints: { files: 1 } }), agent(), 2],
  ["a tag that no case has", suite(said), agent("--tag", "nope"), 2],
  ["a case that is not there", suite(said), agent("--case", "nope"), 2],
  ["a level that no case has", suite(said), agent("--level", "L0"), 2],
  ["a recall of nothing", suite(said), agent("--min-trigger-recall", "0.9"), 3],
  ["valid JSON where none is asked for", suite(said), agent("--min-final-json", "0.9"), 3],
  ["words that are none", suite(scripted("a", { expect: { output: { contains_all: [""] } } })), agent(), 2],
  [
    "a case that never passes and hardly has to",
    suite(
      scripted("a", { expect: { output: { contains_all: ["never"] } }, min_pass_rate: 1e-9 }, [
        answer("due"),
      ]),
    ),
    agent(),
    1,
  ],
  ["a case that passes however often it fails", suite({ ...said, min_pass_rate: 0 }), agent(), 2],
];

const bench = (schema: unknown, cases: object[]) => ({
  "bench.yaml": { id: "desk", schema: "p.json", target: { type: "model", model: "mock" }, cases },
  "p.json": schema,
});
const plan = { id: "a", input: "x", mock: [{ steps: [] }] };
const steps = { type: "object", required: ["steps"] };
const planbench = (...flags: string[]) => ["planbench", "bench.yaml", "--min-success", "0.9", ...flags];
const planWays: Way[] = [
  ["no case", bench(steps, []), planbench(), 2],
  ["a tag that no case has", bench(steps, [plan]), planbench("--tag", "nope"), 2],
  ["no case of those there are", bench(steps, [plan]), planbench("--limit", "0"), 2],
  ["a schema that every plan fits", bench({}, [plan]), planbench(), 2],
  ["a schema that is true", bench(true, [plan]), planbench(), 2],
  ["a schema with a description alone", bench({ description: "a plan" }, [plan]), planbench(), 2],
  ["such a schema, allowed", bench({}, [plan]), planbench("--allow-vacuous"), 0],
  [
    "fixed plans alone, which say nothing about a model",
    bench(steps, [{ id: "a", input: "x", source: "fixed", outputs: [{ steps: [] }] }]),
    planbench(),
    3,
  ],
];

describe.each<[string, Way[]]>([
  ["tasks", tasksWays],
  ["requests", triggerWays],
  ["agent cases", agentWays],
  ["benches", planWays],
])("no green from %s", (_, ways) => {
  test.each(ways)("%s", async (_what, own, argv, exitCode) => {
    await using project = await agentProject({ ...files, ...own });

    const end = await project.run(argv);

    expect(end.exitCode, end.stderr).toBe(exitCode);
  });
});

test("a forbidden skill whose name is misspelt is named before the run, one that is just not there is not", async () => {
  const forbids = (id: string, name: string) => scripted(id, { expect: { skills_none_of: [name] } });
  await using project = await agentProject(suite(forbids("a", "huors"), forbids("b", "weather")));

  const { stderr } = await project.run(agent());

  expect(stderr).toContain("case a forbids the skill huors, which does not exist; did you mean hours?");
  expect(stderr).not.toContain("weather");
});

test("a case that expects nothing is named before the run", async () => {
  await using project = await agentProject(suite(scripted("idle"), said));

  const { stderr } = await project.run(agent());

  expect(stderr).toContain("idle expects nothing: every run that ends passes");
});

test("a contract that is broken since the last report is a regression, though it was checked once", async () => {
  await using project = await agentProject(files);
  const check = (folder: string) =>
    project.run(["test", "tea", "--level", "contract", "--output-dir", folder]);
  expect((await check("before")).exitCode).toBe(0);
  project.write("tea/SKILL.md", "---\ndescription: Makes tea.\n---\nMake tea.\n");
  expect((await check("after")).exitCode).toBe(1);

  const reports = ["before/test-result.json", "after/test-result.json"];
  const { exitCode, stdout } = await project.run(["report", "diff", ...reports, "--fail-on-regression"]);

  expect(exitCode, stdout).toBe(1);
});
