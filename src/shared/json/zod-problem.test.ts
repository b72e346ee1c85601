import { describe, expect, test } from "vitest";
import * as z from "zod";
import { Benchmark } from "../../contract/benchmark.ts";
import { Config } from "../../contract/config.ts";
import { reportFormats } from "../../contract/format.ts";
import { zodProblem, zodProblems } from "./zod-problem.ts";

function problemOf(schema: z.ZodType, value: unknown) {
  return zodProblem(schema.safeParse(value).error as z.ZodError, value);
}

const task = { id: "t", inputData: 1, expectedOutput: {} };

describe("the first problem of a schema in words", () => {
  test.each([
    ["a number too small", { concurrency: 0 }, "$.concurrency must be at least 1"],
    ["a number too large", { concurrency: 4096 }, "$.concurrency must be at most 1024"],
    ["a fraction for a count", { concurrency: 1.5 }, "$.concurrency must be a whole number, not 1.5"],
    ["text for a number", { concurrency: "4" }, '$.concurrency must be a number, not the text "4"'],
    ["text for a map, which may be a secret", { llm: "sk-1" }, "$.llm must be a map, not text"],
    ["a list for a map", { llm: [] }, "$.llm must be a map, not a list"],
    ["an empty path", { store: "" }, "$.store must not be empty"],
    ["an unknown key", { stor: "x" }, "$.stor is not known"],
    [
      "an unknown word",
      { defaultFormats: ["jsn"] },
      '$.defaultFormats[0] may not be "jsn": did you mean json?',
    ],
    [
      "a map that cannot be made a word",
      { defaultFormats: [{ toString: 1, x: "y".repeat(100) }] },
      `$.defaultFormats[0] may not be {"toString":1,"x":"${"y".repeat(60)}…: known: ${reportFormats.join(", ")}`,
    ],
    [
      "a missing member of a union",
      { router: { embedding: { han: { provider: "a", model: "b", dim: 0 } } } },
      "$.router.embedding.han.dim must be at least 1",
    ],
  ])("%s", (_, value, message) => {
    expect(problemOf(Config, value).message).toBe(message);
  });

  test("the location of a task inside a benchmark is a JSON path", () => {
    const value = { id: "b", name: "b", version: "1", tasks: [task, { ...task, timeoutMs: 0 }] };
    expect(problemOf(Benchmark, value)).toEqual({
      message: "$.tasks[1].timeoutMs must be at least 1",
      jsonPath: "$.tasks[1].timeoutMs",
      steps: ["tasks", 1, "timeoutMs"],
      reason: "must be at least 1",
    });
  });

  test("what is missing is called missing, also where it could be one of several things", () => {
    expect(problemOf(Benchmark, { id: "b", version: "1", tasks: [task] }).message).toBe(
      "$.name is required and missing",
    );
    const either = z.strictObject({ input: z.union([z.string(), z.strictObject({ file: z.string() })]) });
    expect(problemOf(either, {}).message).toBe("$.input is required and missing");
  });

  test("a word of the wrong letters is reported with those it may have", () => {
    expect(problemOf(z.strictObject({ id: z.string().regex(/^[a-z]+$/) }), { id: "合同" }).message).toBe(
      "$.id must match /^[a-z]+$/",
    );
  });
});

test("every unknown key is reported, and of a union what was meant", () => {
  const schema = z.strictObject({
    tools: z.array(z.union([z.string(), z.strictObject({ name: z.string() })])),
  });
  const value = { tools: [5, { nam: 1 }, { name: "a", b: 1, c: 2 }, null], d: 1 };

  expect(
    zodProblems(schema.safeParse(value).error as z.ZodError, value).map(({ message }) => message),
  ).toEqual([
    "$.tools[0] must be text or a map, not 5",
    "$.tools[1].name is required and missing",
    "$.tools[1].nam is not known",
    "$.tools[2].b is not known",
    "$.tools[2].c is not known",
    "$.tools[3] must be text or a map, not null",
    "$.d is not known",
  ]);
});
