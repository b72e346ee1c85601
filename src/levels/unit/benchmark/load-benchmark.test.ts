import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleTask } from "../../../../test/sample-cell.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { loadBenchmark, selectTasks } from "./load-benchmark.ts";

const task = { id: "t1", inputData: { x: 2 }, expectedOutput: { type: "exact", value: 4 } };
const benchmark = { id: "mine", name: "Mine", version: "1.0.0", tasks: [task] };

async function fileWith(content: unknown, name = "tasks.json") {
  const folder = await temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return { path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

test("a benchmark gets the documented defaults", async () => {
  await using file = await fileWith(benchmark);

  expect(await loadBenchmark(file.path)).toEqual({
    benchmark: {
      ...benchmark,
      domain: "general",
      scoringMethod: "mean",
      maxLatencyMs: 30_000,
      k: 1,
      metadata: {},
      subject: "skill",
      tasks: [{ ...task, tags: [], weight: 1 }],
    },
    path: file.path,
    taskPaths: new Map([["t1", ["tasks", 0]]]),
    warnings: [],
  });
});

test("a bare list of tasks is a benchmark with the id it is given, its file name otherwise", async () => {
  await using file = await fileWith([task]);

  const { benchmark: loaded, taskPaths } = await loadBenchmark(file.path);

  expect(loaded).toMatchObject({ id: "tasks.json", scoringMethod: "mean", k: 1, tasks: [task] });
  expect(taskPaths.get("t1")).toEqual([0]);
  expect((await loadBenchmark(file.path, "skills/a/tasks.json")).benchmark.id).toBe("skills/a/tasks.json");
});

test.each<[string, unknown, string]>([
  ["no tasks", { ...benchmark, tasks: [] }, "$.tasks"],
  ["no list of tasks", { ...benchmark, tasks: undefined }, "$.tasks"],
  ["no id", { ...benchmark, id: undefined }, "$.id"],
  ["the id that trigger tests have", { ...benchmark, id: "triggering" }, "$.id"],
  ["no version", { ...benchmark, version: undefined }, "$.version"],
  ["an unknown scoring method", { ...benchmark, scoringMethod: "median" }, "$.scoringMethod"],
  ["a k of 0", { ...benchmark, k: 0 }, "$.k"],
  ["a task without an id", { ...benchmark, tasks: [task, { ...task, id: undefined }] }, "$.tasks[1].id"],
  ["a task with an empty id", { ...benchmark, tasks: [{ ...task, id: "" }] }, "$.tasks[0].id"],
  [
    "a task without an input",
    { ...benchmark, tasks: [{ ...task, inputData: undefined }] },
    "$.tasks[0].inputData",
  ],
  [
    "a task without an expectation",
    { ...benchmark, tasks: [{ id: "t", inputData: 1 }] },
    "$.tasks[0].expectedOutput",
  ],
  ["a weight of 0", { ...benchmark, tasks: [{ ...task, weight: 0 }] }, "$.tasks[0].weight"],
  ["a deadline of 0", { ...benchmark, tasks: [{ ...task, timeoutMs: 0 }] }, "$.tasks[0].timeoutMs"],
  ["a broken deadline", { ...benchmark, tasks: [{ ...task, timeoutMs: 1.5 }] }, "$.tasks[0].timeoutMs"],
  ["an empty bare list", [], "$"],
  ["a bare list with a task without an id", [task, { ...task, id: 7 }], "$[1].id"],
  ["a bare list with a task without an input", [{ ...task, inputData: undefined }], "$[0].inputData"],
  ["a number", 7, "$"],
  ["null", null, "$"],
])("%s is refused with the file and the place", async (_, content, jsonPath) => {
  await using file = await fileWith(content);

  await expect(loadBenchmark(file.path)).rejects.toThrow(
    expect.objectContaining({ code: "benchmark-invalid", path: file.path, jsonPath, exitCode: 2 }),
  );
});

test.each([
  ["in a benchmark", (tasks: unknown[]) => ({ ...benchmark, tasks }), "$.tasks[2].id"],
  ["in a bare list", (tasks: unknown[]) => tasks, "$[2].id"],
])("a task id that stands twice %s is refused with its second place", async (_, wrap, jsonPath) => {
  await using file = await fileWith(wrap([task, { ...task, id: "t2" }, task]));

  await expect(loadBenchmark(file.path)).rejects.toThrow(
    expect.objectContaining({ jsonPath, message: expect.stringContaining("duplicate task id `t1`") }),
  );
});

test("an input that is null, false or empty is an input", async () => {
  const tasks = [null, false, 0, "", [], {}].map((inputData, n) => ({ ...task, id: `t${n}`, inputData }));
  await using file = await fileWith(tasks);

  expect((await loadBenchmark(file.path)).benchmark.tasks.map(({ inputData }) => inputData)).toEqual([
    null,
    false,
    0,
    "",
    [],
    {},
  ]);
});

test.each([
  ["10 MiB exactly", 10 * 1_048_576 - 2, true],
  ["one byte more", 10 * 1_048_576 - 1, false],
])("an input of %s", async (_, length, isFine) => {
  await using file = await fileWith([{ ...task, inputData: "x".repeat(length) }]);
  const load = () => loadBenchmark(file.path);

  if (isFine) await load();
  else
    await expect(load()).rejects.toThrow(
      expect.objectContaining({ code: "benchmark-invalid", jsonPath: "$[0].inputData" }),
    );
});

test("an input is measured in bytes, not in letters", async () => {
  await using file = await fileWith([{ ...task, inputData: "中".repeat(3_600_000) }]);

  await expect(loadBenchmark(file.path)).rejects.toThrow("more than 10 MiB");
});

test.each<[string, unknown, string, string]>([
  [
    "keyword",
    { ...benchmark, tasks: [{ ...task, expectedOutput: { keyword: ["a"] } }] },
    "$.tasks[0].expectedOutput.keyword",
    "did you mean keywords?",
  ],
  [
    "expectedOutptu",
    [{ id: "t", inputData: 1, expectedOutptu: {} }],
    "$[0].expectedOutptu",
    "did you mean expectedOutput?",
  ],
  ["taks", { ...benchmark, taks: [] }, "$.taks", "did you mean tasks?"],
  [
    "casesensitive",
    { ...benchmark, tasks: [{ ...task, evaluator: { casesensitive: true } }] },
    "$.tasks[0].evaluator.casesensitive",
    "did you mean caseSensitive?",
  ],
])("the misspelt key %s is refused with the one that was meant", async (_, content, jsonPath, hint) => {
  await using file = await fileWith(content);

  await expect(loadBenchmark(file.path)).rejects.toThrow(
    expect.objectContaining({ code: "benchmark-invalid", path: file.path, jsonPath, hint }),
  );
});

test.each<[string, object, string]>([
  [
    "both expectedOutput and expect",
    { ...task, expect: [{ value: 1 }] },
    "$[0].expect and `expectedOutput` exclude each other",
  ],
  ["an empty list", { id: "a", inputData: 1, expect: [] }, "$[0].expect must not be empty"],
  [
    "an evaluator beside expect",
    { id: "a", inputData: 1, expect: [{ value: 1 }], evaluator: { strict: true } },
    "$[0].evaluator has no effect beside `expect`",
  ],
  [
    "a value beside anyOf",
    { id: "a", inputData: 1, expect: [{ value: 1, anyOf: [{ value: 2 }] }] },
    "$[0].expect[0].value has no effect beside `anyOf`",
  ],
  [
    "a misspelt key in an alternative",
    { id: "a", inputData: 1, expect: [{ anyOf: [{ valu: 2 }] }] },
    "the key $[0].expect[0].anyOf[0].valu is not known",
  ],
])("a task with %s is refused", async (_, wrong, problem) => {
  await using file = await fileWith([wrong]);

  await expect(loadBenchmark(file.path)).rejects.toThrow(problem);
});

test("all mistakes of a file are reported at once, in its order, each with line and column", async () => {
  await using file = await fileWith(`{
  "id": "mine",
  "name": "Mine",
  "version": "1.0.0",
  "tasks": [
    { "id": "a", "inputData": 1, "expectedOutput": { "value": 1 }, "timeoutMs": 0 },
    { "id": "a", "inputData": 1, "expectedOutptu": { "value": 1 } },
    { "id": "b", "expectedOutput": { "value": 1 }, "weight": "2" }
  ]
}`);

  await expect(loadBenchmark(file.path)).rejects.toThrow(
    expect.objectContaining({
      code: "benchmark-invalid",
      jsonPath: "$.tasks[0].timeoutMs",
      message: [
        `${file.path} has 5 problems:`,
        "6:68 $.tasks[0].timeoutMs must be at least 1",
        "7:7 duplicate task id `a`",
        "7:34 the key $.tasks[1].expectedOutptu is not known, did you mean expectedOutput?",
        "8:5 $.tasks[2].inputData is required and missing",
        '8:52 $.tasks[2].weight must be a number, not the text "2"',
      ].join("\n  "),
    }),
  );
});

test("one mistake is one line with the file, line and column", async () => {
  await using file = await fileWith(`[\n  { "id": 7, "inputData": 1, "expectedOutput": { "value": 1 } }\n]`);

  await expect(loadBenchmark(file.path)).rejects.toThrow(`${file.path}:2:5: $[0].id must be text, not 7`);
});

test("an id of more than 1,000 characters is a text in the wrong place", async () => {
  const withId = (id: string) => fileWith([{ ...task, id }]);
  await using file = await withId("x".repeat(1001));
  await using longest = await withId("x".repeat(1000));

  await expect(loadBenchmark(file.path)).rejects.toThrow("$[0].id must have at most 1000 characters");
  await expect(loadBenchmark(longest.path)).resolves.toBeDefined();
});

test("a key that is near to nothing is a warning with its place", async () => {
  await using file = await fileWith({ ...benchmark, reviewedBy: "me", tasks: [{ ...task, difficulty: 3 }] });

  expect((await loadBenchmark(file.path)).warnings.sort()).toEqual([
    expect.stringContaining("$.reviewedBy"),
    expect.stringContaining("$.tasks[0].difficulty"),
  ]);
});

test("metadata, inputs, values and schemas are open: nothing in them is misspelt", async () => {
  const odd = { keyword: 1, taks: { expectedOutptu: 2 } };
  const expectedOutput = { value: odd, schema: odd };
  await using file = await fileWith({
    ...benchmark,
    metadata: odd,
    tasks: [{ ...task, inputData: odd, expectedOutput }],
  });

  expect((await loadBenchmark(file.path)).warnings).toEqual([]);
});

const inYaml = `# What the calculator must know
id: mine
name: Mine
version: "1.0.0"
tasks:
  - id: t1 # the easy one
    inputData: { x: 2 }
    expectedOutput: { type: exact, value: 4 }
`;

test.each<[string, string, object]>([
  ["tasks.eval.yaml", inYaml, { id: "mine", version: "1.0.0", tasks: [task] }],
  ["tasks.eval.yml", inYaml.slice(inYaml.indexOf("  - id")), { id: "tasks.eval.yml", tasks: [task] }],
  [
    "tasks.eval.jsonl",
    `${JSON.stringify({ ...benchmark, $schema: "./b.json", tasks: undefined })}\n\n${JSON.stringify(task)}\n`,
    { id: "mine", version: "1.0.0", tasks: [task] },
  ],
  ["tasks.eval.jsonl", JSON.stringify(task), { id: "tasks.eval.jsonl", tasks: [task] }],
])("%s holds what JSON can hold", async (name, text, expected) => {
  await using file = await fileWith(text, name);

  const { benchmark: loaded, warnings } = await loadBenchmark(file.path);

  expect(loaded).toMatchObject(expected);
  expect(warnings).toEqual([]);
});

test("mistakes in YAML have line and column too, and those of YAML itself are among them", async () => {
  const text = `${inYaml}  - id: t1
    inputDat: 1
    expectedOutput: { value: 1, value: 2 }
    weight: heavy
`;
  await using file = await fileWith(text, "tasks.eval.yaml");

  await expect(loadBenchmark(file.path)).rejects.toThrow(
    [
      `${file.path} has 4 problems:`,
      "9:5 duplicate task id `t1`",
      "10:5 the key $.tasks[1].inputDat is not known, did you mean inputData?",
      '11:33 a second key "value" is not allowed',
      '12:5 $.tasks[1].weight must be a number, not the text "heavy"',
    ].join("\n  "),
  );
});

test.each<[string, string[], string[]]>([
  [
    "below a head",
    [
      '{"id":"mine","name":"Mine","version":1}',
      JSON.stringify(task),
      "",
      '{"id":"t2", "inputData":1, "expectedOutput":{"valu":1}}',
    ],
    [
      "1:28 $.version must be text, not 1",
      "4:46 the key $.tasks[1].expectedOutput.valu is not known, did you mean value?",
    ],
  ],
  [
    "that are all tasks",
    [JSON.stringify(task), '{"id":"t2", inputData:1}', JSON.stringify(task)],
    ["2:13 invalid JSON: unquoted key inputData", "3:2 duplicate task id `t1`"],
  ],
])("mistakes in JSON lines %s are reported by line", async (_, lines, problems) => {
  await using file = await fileWith(lines.join("\n"), "tasks.eval.jsonl");

  await expect(loadBenchmark(file.path)).rejects.toThrow(
    [`${file.path} has 2 problems:`, ...problems].join("\n  "),
  );
});

test.each<[string, string, string]>([
  ["tasks.eval.yaml", "tasks:\n\t- id: a", ":2:1: the line is indented with a tab"],
  ["tasks.eval.jsonl", "{", ":1:2: invalid JSON: "],
  ["tasks.eval.jsonl", "", ":1:1: $ must not be empty"],
])("a %s that cannot be read is refused with its place", async (name, text, problem) => {
  await using file = await fileWith(text, name);

  await expect(loadBenchmark(file.path)).rejects.toThrow(`${file.path}${problem}`);
});

test("a file that is no JSON is refused with line and column", async () => {
  await using file = await fileWith('{\n  "id": "mine",\n}');

  await expect(loadBenchmark(file.path)).rejects.toThrow(/line 2, column 15: trailing comma/);
});

const tasks = [
  sampleTask({ id: "a", tags: ["math"] }).task,
  sampleTask({ id: "b", tags: ["math", "hard"] }).task,
  sampleTask({ id: "c", tags: [] }).task,
];

test.each([
  ["everything without a choice", [], [], ["a", "b", "c"]],
  ["by one tag", ["math"], [], ["a", "b"]],
  ["by any of several tags", ["hard", "nothing"], [], ["b"]],
  ["by id, in the order of the benchmark", [], ["c", "a"], ["a", "c"]],
  ["by id and tag together", ["hard"], ["a", "b"], ["b"]],
])("tasks are chosen %s", (_, tags, ids, expected) => {
  expect(selectTasks(tasks, { tags, ids }).map(({ id }) => id)).toEqual(expected);
});

test("an id that no task has is refused with the nearest", () => {
  const many = ["coding_001", "coding_002"].map((id) => sampleTask({ id }).task);

  expect(() => selectTasks(many, { tags: [], ids: ["coding_01"] })).toThrow(
    expect.objectContaining({ code: "usage", hint: "did you mean coding_001?" }),
  );
});

test("ids and tags with commas between them are told to stand apart", () => {
  const [one, two] = tasks.map(({ id }) => id);
  expect(() => selectTasks(tasks, { tags: [], ids: [`${one},${two}`] })).toThrow(
    expect.objectContaining({ hint: `separate them with spaces: ${one} ${two}` }),
  );
  expect(() => selectTasks(tasks, { tags: ["math,hard"], ids: [] })).toThrow(
    expect.objectContaining({ hint: "separate them with spaces: math hard" }),
  );
});

test("tags that leave no task are nothing to do, with the tags there are", () => {
  expect(() => selectTasks(tasks, { tags: ["maths"], ids: [] })).toThrow(
    expect.objectContaining({ code: "nothing-to-do", hint: "did you mean math?" }),
  );
  expect(() => selectTasks(tasks.slice(2), { tags: ["maths"], ids: [] })).toThrow(
    expect.objectContaining({ hint: "no task of this benchmark has tags" }),
  );
});
