import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { Benchmark } from "../contract/benchmark.ts";
import { Config } from "../contract/config.ts";
import { zodProblem } from "./zod-problem.ts";

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
      "a missing member of a union",
      { router: { embedding: { han: { provider: "a", model: "b", dim: 0 } } } },
      "$.router.embedding.han.dim must be at least 1",
    ],
  ])("%s", (_, value, message) => {
    expect(problemOf(Config, value).message).toBe(message);
  });

  test("the place of a task inside a benchmark is a JSON path", () => {
    const value = { id: "b", name: "b", version: "1", tasks: [task, { ...task, timeoutMs: 0 }] };
    expect(problemOf(Benchmark, value)).toEqual({
      message: "$.tasks[1].timeoutMs must be at least 1",
      jsonPath: "$.tasks[1].timeoutMs",
    });
  });

  test("what is missing is called missing", () => {
    expect(problemOf(Benchmark, { id: "b", version: "1", tasks: [task] }).message).toBe(
      "$.name is required and missing",
    );
  });
});
