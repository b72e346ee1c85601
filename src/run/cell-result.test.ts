import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sampleCell, sampleTask, sleeplessClock } from "../../test/sample-cell.ts";
import { redactor } from "../base/redact.ts";
import type { Json } from "../contract/json.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Score } from "../contract/score.ts";
import type { Answer, Scorer } from "../contract/scorer.ts";
import { cellResult, type ResultContext } from "./cell-result.ts";

const context: ResultContext = {
  attempts: [],
  beganAtMs: 1234.6,
  clock: sleeplessClock(),
  checkOutput: () => [],
  stampOf: () => null,
  redact: (value) => value,
  signal: new AbortController().signal,
};

function scoredBy(score: (answer: Answer) => Score | Promise<Score>) {
  const scorer: Scorer = { type: "contains", identity: null, score };
  return sampleCell({ task: sampleTask({}, { scorer }) });
}

function answered(output: Json, changes: Partial<Outcome> = {}): Outcome {
  return { status: "answered", output, latencyMs: 5, ...changes } as Outcome;
}

test("an answer is passed or failed by its scorer, with its score and reason", async () => {
  const half = scoredBy(() => ({ score: 0.5, passed: false, reason: "1 of 2" }));

  expect(await cellResult(sampleCell(), answered(42), context)).toMatchObject({
    status: "pass",
    score: 1,
    reason: null,
    error: null,
    output: 42,
    scorerType: "exact_match",
  });
  expect(await cellResult(half, answered(41), context)).toMatchObject({
    status: "fail",
    score: 0.5,
    reason: "1 of 2",
    error: null,
    scorerType: "contains",
  });
});

test("a failure of the skill is an error with score 0", async () => {
  const outcome: Outcome = { status: "failed", cause: "crash", message: "exit 1", latencyMs: 38.00049 };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject({
    status: "error",
    score: 0,
    latencyMs: 38,
    output: null,
    outputBytes: 0,
    outputTruncated: false,
    error: { code: "crash", message: "exit 1" },
  });
});

test("a deadline is a timeout with score 0", async () => {
  const outcome: Outcome = { status: "timed-out", message: "no answer within 1000 ms", latencyMs: 1000 };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject({
    status: "timeout",
    score: 0,
    error: { code: "deadline", message: "no answer within 1000 ms" },
  });
});

test("what we could not find out is invalid and has no score", async () => {
  const outcome: Outcome = { status: "invalid", cause: "skill-changed", message: "edited", latencyMs: 0 };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject({
    status: "invalid",
    score: null,
    error: { code: "skill-changed", message: "edited" },
  });
});

test("an answer without a score is invalid for the scorer's reason", async () => {
  const cell = scoredBy(() => ({ score: null, cause: "scorer-timeout", message: "5000 ms" }));

  expect(await cellResult(cell, answered(1), context)).toMatchObject({
    status: "invalid",
    score: null,
    error: { code: "scorer-timeout", message: "5000 ms" },
  });
});

test.each<[string, unknown, string]>([
  ["an error", new Error("boom"), "boom"],
  ["a text", "boom", "boom"],
  ["nothing", undefined, "undefined"],
  ["null", null, "null"],
])("a scorer that throws %s makes its cell invalid and nothing else", async (_, thrown, message) => {
  const cell = scoredBy(() => {
    throw thrown;
  });

  expect(await cellResult(cell, answered(1), context)).toMatchObject({
    status: "invalid",
    score: null,
    error: { code: "scorer-crashed", message },
  });
});

test("a scorer that answers nothing has crashed", async () => {
  const cell = scoredBy(() => undefined as unknown as Score);

  expect(await cellResult(cell, answered(1), context)).toMatchObject({
    status: "invalid",
    error: { code: "scorer-crashed" },
  });
});

test.each([Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY])("a score of %d is no score", async (score) => {
  const cell = scoredBy(() => ({ score, passed: true, reason: null }));

  expect(await cellResult(cell, answered(1), context)).toMatchObject({
    status: "invalid",
    score: null,
    error: { code: "scorer-bad-result" },
  });
});

test("an output of 64 KiB is kept whole", async () => {
  const output = "x".repeat(65_536 - 2);

  const result = await cellResult(sampleCell(), answered(output), context);

  expect(result).toMatchObject({ output, outputTruncated: false, outputBytes: 65_536 });
  expect(result).not.toHaveProperty("outputSha256");
});

test("a larger output is kept in part, with its size and its hash; the scorer saw all of it", async () => {
  const output = { text: "y".repeat(100_000) };
  let seen: Json = null;
  const cell = scoredBy((answer) => {
    seen = answer.output;
    return { score: 1, passed: true, reason: null };
  });

  const result = await cellResult(cell, answered(output), context);

  const text = JSON.stringify(output);
  expect(seen).toBe(output);
  expect(result).toMatchObject({ status: "pass", outputTruncated: true, outputBytes: text.length });
  expect(result.output).toBe(text.slice(0, 65_536));
  expect(result.outputSha256).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
});

test.each(["é", "中", "🧪"])(
  "an output of %s is cut between letters and counted in bytes",
  async (letter) => {
    const output = letter.repeat(40_000);

    const result = await cellResult(sampleCell(), answered(output), context);

    const kept = result.output as string;
    expect(result.outputBytes).toBe(Buffer.byteLength(output) + 2);
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(kept)).toBeGreaterThan(65_532);
    expect(kept).toBe(`"${letter.repeat(kept.length)}`.slice(0, kept.length));
  },
);

test("a secret that lies across the cut is taken out before the cut", async () => {
  const secret = "sk-canary-12345678";
  const output = `${"x".repeat(65_530)}${secret}${"y".repeat(100)}`;

  const result = await cellResult(sampleCell(), answered(output), { ...context, redact: redactor([secret]) });

  expect(result.output).toBe(`"${"x".repeat(65_530)}[reda`);
  expect(result.outputBytes).toBe(output.length + 2);
});

test("an output that was stopped at the cap says how much was seen", async () => {
  const outcome: Outcome = {
    status: "failed",
    cause: "output-limit",
    message: "too much",
    latencyMs: 9,
    bytesSeen: 5_242_881,
  };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject({
    output: null,
    outputTruncated: true,
    outputBytes: 5_242_881,
  });
});

test("an answer that is not UTF-8 is kept as base64, with its size and hash", async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00]);
  const outcome: Outcome = {
    status: "failed",
    cause: "bad-response",
    message: "not UTF-8",
    latencyMs: 9,
    rawBase64: bytes.toString("base64"),
  };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject({
    output: null,
    rawBase64: "//4A",
    outputTruncated: false,
    outputBytes: 3,
    outputSha256: `sha256:${createHash("sha256").update(bytes).digest("hex")}`,
  });
});

test("of a large answer that is not UTF-8 no more is kept than of any other", async () => {
  const bytes = Buffer.alloc(5_000_000, 0xff);
  const rawBase64 = bytes.toString("base64");
  const outcome: Outcome = { status: "failed", cause: "bad-response", message: "", latencyMs: 9, rawBase64 };

  const result = await cellResult(sampleCell(), outcome, context);

  expect(Buffer.from(result.rawBase64 ?? "", "base64").equals(bytes.subarray(0, 65_536))).toBe(true);
  expect(result).toMatchObject({ outputTruncated: true, outputBytes: 5_000_000 });
});

test("warnings of the call and of the output check stand together and change no status", async () => {
  const checkOutput = () => ["the output does not fit"];

  const result = await cellResult(sampleCell(), answered(42, { warnings: ["exit 3"] }), {
    ...context,
    checkOutput,
  });

  expect(result).toMatchObject({ status: "pass", warnings: ["exit 3", "the output does not fit"] });
});

test("an output that never came is not checked", async () => {
  const checkOutput = () => ["must not be asked"];
  const outcome: Outcome = { status: "timed-out", message: "late", latencyMs: 1000 };

  expect(await cellResult(sampleCell(), outcome, { ...context, checkOutput })).not.toHaveProperty("warnings");
});

test("stderr and stray lines are kept of what failed, not of what was answered", async () => {
  const chatter = { stderrTail: "trace", stray: ["banner"] };
  const outcome: Outcome = { status: "failed", cause: "crash", message: "exit 1", latencyMs: 1, ...chatter };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject(chatter);
  expect(await cellResult(sampleCell(), answered(42, chatter), context)).not.toHaveProperty("stderrTail");
});

test("usage, start-up and times are written down", async () => {
  const usage = { promptTokens: 12, completionTokens: 3, totalTokens: 15, costUsd: null };

  expect(await cellResult(sampleCell(), answered(42, { usage, startupMs: 80.4 }), context)).toMatchObject({
    usage,
    startupMs: 80,
    beganAtMs: 1235,
    finishedAt: "2026-03-01T07:00:00.000Z",
    latencyMs: 5,
  });
});
