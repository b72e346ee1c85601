import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { loadBenchmark } from "./load-benchmark.ts";

async function load(text: string, name = "sums.eval.yaml") {
  await using folder = await temporaryFolder();
  const path = join(folder.path, name);
  writeFileSync(path, text);
  return await loadBenchmark(path).catch((error: Error) => {
    throw new Error(error.message.replaceAll(path, name));
  });
}

const sums = `
- id: add
  description: "{{a}} and {{ b }}"
  inputData: { numbers: ["{{a}}", "{{b}}"], ask: "what is {{a}} + {{b}}? {{given}}, not \\\\{{sum}}" }
  expectedOutput: { value: "{{sum}}", absTol: "{{tolerance}}" }
  weight: "{{a}}"
  parameters:
    - { a: 1, b: 2, sum: 3, tolerance: 0.1, given: [x] }
    - { a: 2, b: -2, sum: null, tolerance: 1, given: "y" }
- { id: plain, inputData: "Hello {{name}}", expectedOutput: { value: 1 } }
`;

test("a table is written out: a case per row, values with their types, and readable ids", async () => {
  const { benchmark, taskPaths } = await load(sums);

  const [one, two, plain] = benchmark.tasks;
  expect(one).toEqual({
    id: 'add[a=1,b=2,given=["x"]]',
    description: "1 and 2",
    inputData: { numbers: [1, 2], ask: 'what is 1 + 2? ["x"], not {{sum}}' },
    expectedOutput: { value: 3, absTol: 0.1 },
    weight: 1,
    tags: [],
  });
  expect(two).toMatchObject({ id: "add[a=2,b=-2,given=y]", expectedOutput: { value: null } });
  expect(plain?.inputData).toBe("Hello {{name}}"); // without a table, text is text
  expect(taskPaths.get("add[a=2,b=-2,given=y]")).toEqual([0]);
  expect(taskPaths.get("plain")).toEqual([1]);
});

test("an id may say itself what tells its cases apart; one that is used nowhere else counts", async () => {
  const { benchmark } = await load(
    '[{"id": "sum-{{name}}", "inputData": "{{n}}", "expectedOutput": {"value": 1}, "parameters": [{"name": "one", "n": 1}, {"name": "two", "n": 1}]}]',
    "a.json",
  );

  expect(benchmark.tasks.map(({ id }) => id)).toEqual(["sum-one", "sum-two"]);
});

test("where the input is always the same, all columns are in the id, each shortened", async () => {
  const { benchmark } = await load(
    JSON.stringify([
      {
        id: "t",
        inputData: 1,
        expectedOutput: { value: "{{v}}" },
        parameters: [{ v: "a\nb" }, { v: "x".repeat(60) }],
      },
    ]),
    "a.json",
  );

  expect(benchmark.tasks.map(({ id }) => id)).toEqual([
    "t[v=a\\nb]",
    expect.stringMatching(/^t\[v=x{39}…\]$/),
  ]);
});

test("mistakes in a table are reported together, each with its position", async () => {
  const wrong = `id: sums
name: Sums
version: "1"
tasks:
  - id: add
    inputData: ["{{a}}", "{{B}}"]
    expectedOutput: { value: 3 }
    parameters:
      - { a: 1, b: 2 }
      - { a: 1, c: 2 }
      - { a: 1 }
  - id: twice
    inputData: "{{a}}"
    expectedOutput: { value: 3, absTol: "{{tolerance}}" }
    parameters:
      - { a: 1, tolerance: much }
      - { a: 1, tolerance: 2 }
  - { id: none, inputData: 1, expectedOutput: { value: 1 }, parameters: [] }
  - { id: odd, inputData: 1, expectedOutput: { value: 1 }, parameters: { a: [1] } }
`;

  await expect(load(wrong)).rejects.toThrow(
    [
      "sums.eval.yaml has 8 problems:",
      "6:26 the placeholder {{B}} is not a column of `parameters`, did you mean b?; a backslash before it keeps it as text",
      "9:17 the column b is not used, write {{b}} where its value belongs, or remove it",
      "10:17 the first row has no column c, did you mean b?",
      "11:9 the row has no value for b",
      '14:33 $.tasks[1].expectedOutput.absTol must be a number, not the text "much"',
      "17:9 duplicate task id `twice[a=1]`",
      "18:61 $.tasks[2].parameters must not be empty",
      "19:60 $.tasks[3].parameters must be a list, not a map",
    ].join("\n  "),
  );
});
