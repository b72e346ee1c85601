import { describe, expect, test } from "vitest";
import { makeAnswer, mistakeIn, requestFor } from "../../test/scorer-request.ts";
import type { Score, SeenFailure } from "../contract/scorer.ts";
import type { Evaluator, Expectation } from "../contract/task.ts";
import { prepareScorer } from "./choose-scorer.ts";

const refusal: SeenFailure = {
  status: "error",
  code: "http-status",
  message: 'HTTP 422: {"error":"no such date"}',
  statusCode: 422,
  isRetryable: false,
  isReported: true,
};
const crash: SeenFailure = {
  ...{ status: "error", code: "crash", message: "exit 7 without an answer: Traceback", statusCode: 7 },
  ...{ isRetryable: true, isReported: false },
};
const late: SeenFailure = {
  ...{ status: "timeout", code: "deadline", message: "no answer within 300 ms", statusCode: null },
  ...{ isRetryable: true, isReported: false },
};

async function scored(expected: Expectation, failure?: SeenFailure, evaluator?: Evaluator): Promise<Score> {
  const request = requestFor({ type: "error", ...expected }, evaluator);
  const scorer = await prepareScorer(request);
  return scorer.score({ ...makeAnswer(request.task, null), failure });
}

test.each<[string, Expectation]>([
  ["its code", { code: "http-status" }],
  ["one of several codes", { code: ["rpc-error", "http-status"] }],
  ["its status", { status: 422 }],
  ["one of several statuses", { status: [400, 422] }],
  ["a text of its message, whatever the case", { contains: "No such DATE" }],
  ["several texts", { contains: ["no such", "date"] }],
  ["a pattern", { patterns: ["no such \\w+"] }],
  [
    "everything at once",
    { code: "http-status", status: 422, contains: "date", patterns: ["^HTTP"], retryable: false },
  ],
])("a failure passes by %s", async (_, expected) => {
  expect(await scored(expected, refusal)).toEqual({ score: 1, passed: true, reason: "failed as expected" });
});

test.each<[string, Expectation, Evaluator?]>([
  ["another code", { code: "rpc-error" }],
  ["another status", { status: 404 }],
  ["another text", { contains: "no such city" }],
  ["one text of two missing", { contains: ["date", "city"] }],
  ["the case, where it counts", { contains: "No such DATE" }, { caseSensitive: true }],
  ["another pattern", { patterns: ["^422"] }],
  ["retryable", { status: 422, retryable: true }],
])("%s is a wrong refusal", async (_, expected, evaluator) => {
  expect(await scored(expected, refusal, evaluator)).toMatchObject({ score: 0, passed: false });
});

test("a wrong refusal says what was expected and what came", async () => {
  expect(await scored({ code: "rpc-error", status: -32602, contains: "date" }, refusal)).toMatchObject({
    reason:
      'expected rpc-error, status -32602, a message with "date"; got http-status, status 422: HTTP 422: {"error":"no such date"}',
  });
});

test("an answer is a fail where an error is expected", async () => {
  expect(await scored({ code: "rpc-error" })).toMatchObject({
    score: 0,
    passed: false,
    reason: "answered, but an error was expected: rpc-error",
  });
});

describe("what the skill does not report itself", () => {
  test("is expected only by its name", async () => {
    expect(await scored({ status: 7 }, crash)).toMatchObject({ passed: false });
    expect(await scored({ contains: "Traceback" }, crash)).toMatchObject({ passed: false });
    expect(await scored({ contains: "no answer" }, late)).toMatchObject({ passed: false });
    expect(await scored({ code: "crash", status: 7 }, crash)).toMatchObject({ passed: true });
    expect(await scored({ code: "crash", contains: "Traceback" }, crash)).toMatchObject({ passed: true });
    expect(await scored({ code: "crash", status: 8 }, crash)).toMatchObject({ passed: false });
    for (const code of ["deadline", "timeout"])
      expect(await scored({ code }, late)).toMatchObject({ passed: true });
  });

  test("never is what we found ourselves", async () => {
    const ours = { ...refusal, code: "rpc-error", isReported: false } as const;
    for (const expected of [{ code: "rpc-error" }, { contains: "date" }])
      expect(await scored(expected, ours)).toMatchObject({ passed: false });
    const lost = { ...crash, code: "connection", message: "connection refused" } as const;
    expect(await scored({ contains: "refused" }, lost)).toMatchObject({ passed: false });
  });
});

test("tool_error is another name, with the keys it had", async () => {
  const request = requestFor({ type: "tool_error", code: "bad-arguments", contains: "max_results" });
  const scorer = await prepareScorer(request);
  const failure = { ...refusal, code: "bad-arguments", message: "/max_results must be integer" } as const;
  expect(scorer.type).toBe("error");
  expect(await scorer.score({ ...makeAnswer(request.task, null), failure })).toMatchObject({ passed: true });
});

test.each<[string, Expectation, object, string, string]>([
  ["nothing that is expected", {}, {}, "expectation-vacuous", ""],
  ["retryable alone", { retryable: true }, {}, "expectation-vacuous", ""],
  ["an empty text", { code: "rpc-error", contains: "" }, {}, "expectation-vacuous", ".contains"],
  ["an empty list", { code: [] }, {}, "expectation-vacuous", ".code"],
  ["an empty code", { code: "" }, {}, "expectation-vacuous", ".code"],
  ["no patterns", { patterns: [] }, {}, "expectation-vacuous", ".patterns"],
  ["any crash", { code: "crash" }, {}, "expectation-vacuous", ".code"],
  ["any crash in a list", { code: ["rpc-error", "crash"] }, {}, "expectation-vacuous", ".code"],
  ["an unknown code", { code: "time-out" }, {}, "scorer-invalid", ".code"],
  ["a fault that no skill reports", { code: "connection" }, {}, "scorer-invalid", ".code"],
  ["a fault of ours", { code: "sandbox-refused" }, {}, "scorer-invalid", ".code"],
])("%s is refused at load", async (_, expected, more, code, member) => {
  expect(await mistakeIn(requestFor({ type: "error", ...expected }, undefined, more))).toMatchObject({
    code,
    exitCode: 2,
    path: "/suite/benchmark.json",
    jsonPath: `$.tasks[3].expectedOutput${member}`,
  });
});

test("an error of a skill that is never called is refused, and a typing mistake is told the nearest code", async () => {
  const request = requestFor({ type: "error", code: "rpc-error" }, undefined, { adapters: [] });
  expect(await mistakeIn(request)).toMatchObject({ code: "scorer-invalid", jsonPath: "$.tasks[3]" });
  expect((await mistakeIn(requestFor({ type: "error", code: "time-out" }))).hint).toBe(
    "did you mean timeout?",
  );
});
