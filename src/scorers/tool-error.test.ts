import { expect, test } from "vitest";
import { mistakeIn, requestFor, scoreAnswer } from "../../test/scorer-request.ts";
import type { Expectation } from "../contract/task.ts";
import { toolError } from "../contract/tool-result.ts";

const ofTools = { adapters: ["tool", "tool"] };
const requestOf = (expected: Expectation, more: object = ofTools) =>
  requestFor({ type: "tool_error", ...expected }, undefined, more);
const badArguments = toolError("bad-arguments", "/max_results must be integer");

test("the expected error is a pass, with the text it must contain or without one", async () => {
  for (const expected of [{ code: "bad-arguments" }, { code: "bad-arguments", contains: "max_results" }])
    expect(await scoreAnswer(requestOf(expected), badArguments)).toEqual({
      score: 1,
      passed: true,
      reason: null,
    });
});

test("anything else is a fail that says what happened", async () => {
  const reasonOf = async (expected: Expectation, output: Parameters<typeof scoreAnswer>[1]) => {
    const score = await scoreAnswer(requestOf(expected), output);
    return score.score === 0 ? score.reason : score;
  };
  expect(await reasonOf({ code: "timeout" }, badArguments)).toBe(
    "expected the error timeout; got bad-arguments: /max_results must be integer",
  );
  // The code is no part of what a message must contain.
  expect(await reasonOf({ code: "bad-arguments", contains: "bad-a" }, badArguments)).toBe(
    'expected the error bad-arguments with "bad-a"; got bad-arguments: /max_results must be integer',
  );
  const success = { result: { data: { error: { message: "bad-arguments: as if" } } } };
  expect(await reasonOf({ code: "bad-arguments" }, success)).toBe(
    "expected the error bad-arguments; the call succeeded",
  );
});

test.each<[string, Expectation, object, string, string]>([
  ["no code", { contains: "x" }, ofTools, "expectation-vacuous", ".expectedOutput.code"],
  [
    "an empty text",
    { code: "timeout", contains: "" },
    ofTools,
    "expectation-vacuous",
    ".expectedOutput.contains",
  ],
  ["a code that no call ends in", { code: "call-limit" }, ofTools, "scorer-invalid", ".expectedOutput.code"],
  ["no such code", { code: "time-out" }, ofTools, "scorer-invalid", ".expectedOutput.code"],
  ["another adapter", { code: "timeout" }, { adapters: ["http"] }, "scorer-invalid", ""],
  ["tools and another adapter", { code: "timeout" }, { adapters: ["tool", "mcp"] }, "scorer-invalid", ""],
  ["no skill that is called", { code: "timeout" }, { adapters: [] }, "scorer-invalid", ""],
])("%s is refused at load", async (_, expected, more, code, member) => {
  expect(await mistakeIn(requestOf(expected, more))).toMatchObject({
    code,
    exitCode: 2,
    path: "/suite/benchmark.json",
    jsonPath: `$.tasks[3]${member}`,
  });
});

test("a code with a typing mistake is told the nearest one", async () => {
  expect((await mistakeIn(requestOf({ code: "time-out" }))).hint).toBe("did you mean timeout?");
});
