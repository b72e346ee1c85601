import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { sampleCell, sampleTask, sleeplessClock } from "../../test/sample-cell.ts";
import { sampleSuite } from "../../test/sample-suite.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Attempt } from "../contract/result.ts";
import type { Answer, Score, Scorer } from "../contract/scorer.ts";
import type { Json } from "../shared/json/json.ts";
import { redactor } from "../shared/text/redact.ts";
import { cellResult, type ResultContext, rescoredResult } from "./cell-result.ts";

const context: ResultContext = {
  suite: sampleSuite(),
  attempts: [],
  beganAtMs: 1234.6,
  clock: sleeplessClock(),
  redact: (value) => value,
  signal: new AbortController().signal,
};

function scoredBy(score: (answer: Answer) => Score | Promise<Score>) {
  const scorer: Scorer = { type: "contains", identity: null, score };
  return sampleCell({ case: sampleTask({}, { scorer }) });
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
    cause: null,
    output: 42,
    details: { scorerType: "exact_match", weight: 1, tags: [] },
  });
  expect(await cellResult(half, answered(41), context)).toMatchObject({
    status: "fail",
    score: 0.5,
    reason: "1 of 2",
    cause: null,
    details: { scorerType: "contains", weight: 1, tags: [] },
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
    cause: "crash",
    reason: "exit 1",
  });
});

test("a deadline is a timeout with score 0", async () => {
  const outcome: Outcome = { status: "timed-out", message: "no answer within 1000 ms", latencyMs: 1000 };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject({
    status: "timeout",
    score: 0,
    cause: "deadline",
    reason: "no answer within 1000 ms",
  });
});

test("what we could not find out is invalid and has no score", async () => {
  const outcome: Outcome = { status: "invalid", cause: "skill-changed", message: "edited", latencyMs: 0 };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject({
    status: "invalid",
    score: null,
    cause: "skill-changed",
    reason: "edited",
  });
});

test("an answer without a score is invalid for the scorer's reason", async () => {
  const cell = scoredBy(() => ({ score: null, cause: "scorer-timeout", message: "5000 ms" }));

  expect(await cellResult(cell, answered(1), context)).toMatchObject({
    status: "invalid",
    score: null,
    cause: "scorer-timeout",
    reason: "5000 ms",
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
    cause: "scorer-crashed",
    reason: message,
  });
});

test("a scorer that answers nothing has crashed", async () => {
  const cell = scoredBy(() => undefined as unknown as Score);

  expect(await cellResult(cell, answered(1), context)).toMatchObject({
    status: "invalid",
    cause: "scorer-crashed",
  });
});

test.each([Number.NaN, -0.1, 1.1, Number.POSITIVE_INFINITY])(
  "a score of %d is not a score",
  async (score) => {
    const cell = scoredBy(() => ({ score, passed: true, reason: null }));

    expect(await cellResult(cell, answered(1), context)).toMatchObject({
      status: "invalid",
      score: null,
      cause: "scorer-bad-result",
    });
  },
);

test("an output of 64 KiB is stored whole", async () => {
  const output = "x".repeat(65_536 - 2);

  const result = await cellResult(sampleCell(), answered(output), context);

  expect(result).toMatchObject({ output, outputTruncated: false, outputBytes: 65_536 });
  expect(result).not.toHaveProperty("outputSha256");
});

test("a larger output is stored in part, with its size and its hash; the scorer saw all of it", async () => {
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

    const stored = result.output as string;
    expect(result.outputBytes).toBe(Buffer.byteLength(output) + 2);
    expect(Buffer.byteLength(stored)).toBeLessThanOrEqual(65_536);
    expect(Buffer.byteLength(stored)).toBeGreaterThan(65_532);
    expect(stored).toBe(`"${letter.repeat(stored.length)}`.slice(0, stored.length));
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

test("an answer that is not UTF-8 is stored as base64, with its size and hash", async () => {
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

test("of a large answer that is not UTF-8 no more is stored than of any other", async () => {
  const bytes = Buffer.alloc(5_000_000, 0xff);
  const rawBase64 = bytes.toString("base64");
  const outcome: Outcome = { status: "failed", cause: "bad-response", message: "", latencyMs: 9, rawBase64 };

  const result = await cellResult(sampleCell(), outcome, context);

  expect(Buffer.from(result.rawBase64 ?? "", "base64").equals(bytes.subarray(0, 65_536))).toBe(true);
  expect(result).toMatchObject({ outputTruncated: true, outputBytes: 5_000_000 });
});

test("warnings of the call and of the output check come together and change no status", async () => {
  const checkOutput = () => ["the output does not fit"];

  const result = await cellResult(sampleCell(), answered(42, { warnings: ["exit 3"] }), {
    ...context,
    suite: sampleSuite({}, { checkOutput }),
  });

  expect(result).toMatchObject({ status: "pass", warnings: ["exit 3", "the output does not fit"] });
});

test("an output that never came is not checked", async () => {
  const checkOutput = () => ["must not be asked"];
  const outcome: Outcome = { status: "timed-out", message: "late", latencyMs: 1000 };

  const checking = { ...context, suite: sampleSuite({}, { checkOutput }) };
  expect(await cellResult(sampleCell(), outcome, checking)).toMatchObject({ warnings: [] });
});

test("stderr and stray lines are stored of what failed, not of what was answered", async () => {
  const chatter = { stderrTail: "trace", stray: ["banner"] };
  const outcome: Outcome = { status: "failed", cause: "crash", message: "exit 1", latencyMs: 1, ...chatter };

  expect(await cellResult(sampleCell(), outcome, context)).toMatchObject(chatter);
  expect(await cellResult(sampleCell(), answered(42, chatter), context)).not.toHaveProperty("stderrTail");
});

test("usage, start-up and times are written down", async () => {
  const usage = { promptTokens: 12, completionTokens: 3, totalTokens: 15, costUsd: 0.25 };

  expect(await cellResult(sampleCell(), answered(42, { usage, startupMs: 80.4 }), context)).toMatchObject({
    usage,
    costUsd: 0.25,
    startupMs: 80,
    beganAtMs: 1235,
    finishedAt: "2026-03-01T07:00:00.000Z",
    latencyMs: 5,
  });
});

const byRule = (expected: number) =>
  scoredBy(({ output }) => ({
    score: Number(output === expected),
    passed: output === expected,
    reason: `not ${expected}`,
  }));
const attempt = { n: 1, status: "answered", code: null, latencyMs: 5, message: null } as const;

test("a stored answer is scored anew by the rules of now, and what was executed stays", async () => {
  const suite = sampleSuite({}, { detailsOf: () => ({ rule: 43 }) });
  const usage = { promptTokens: 12, completionTokens: 3, totalTokens: 15, costUsd: 0.25 };
  const before = await cellResult(byRule(42), answered(42, { usage }), { ...context, attempts: [attempt] });
  const stored = JSON.parse(JSON.stringify(before));

  const anew = await rescoredResult(
    stored,
    { ...byRule(43), key: "sha256:new" },
    { ...context, suite, isSameCase: false },
  );

  expect(before).toMatchObject({ status: "pass", score: 1 });
  expect(anew).toEqual({
    ...stored,
    key: "sha256:new",
    status: "fail",
    score: 0,
    reason: "not 43",
    details: { rule: 43 },
  });
});

test("an answer that a scorer choked on gets its verdict when it is scored anew", async () => {
  const choking = scoredBy(() => {
    throw new Error("boom");
  });
  const stored = await cellResult(choking, answered(42), { ...context, attempts: [attempt] });

  expect(stored).toMatchObject({ status: "invalid", cause: "scorer-crashed", reason: "boom" });
  expect(await rescoredResult(stored, byRule(42), { ...context, isSameCase: false })).toMatchObject({
    status: "pass",
    score: 1,
    cause: null,
  });
});

test.each<[string, Outcome, Attempt]>([
  [
    "a failure",
    { status: "failed", cause: "crash", message: "exit 1", latencyMs: 1 },
    { ...attempt, status: "error" },
  ],
  ["a deadline", { status: "timed-out", message: "late", latencyMs: 1 }, { ...attempt, status: "timeout" }],
  [
    "what we could not find out",
    { status: "invalid", cause: "skill-changed", message: "edited", latencyMs: 1 },
    { ...attempt, status: "invalid" },
  ],
])("%s cannot be scored anew and stays what it is", async (_, outcome, last) => {
  const stored = await cellResult(sampleCell(), outcome, { ...context, attempts: [last] });

  const anew = await rescoredResult(stored, byRule(42), { ...context, isSameCase: false });

  expect(anew).toEqual({ ...stored, key: byRule(42).key, caseDigest: byRule(42).case.digest });
});

test("a verdict about an answer that is not stored whole says nothing about another expectation", async () => {
  const long = answered("x".repeat(100_000));
  const stored = await cellResult(sampleCell(), long, { ...context, attempts: [attempt] });
  const rescore = (key: string) =>
    rescoredResult(stored, { ...sampleCell(), key }, { ...context, isSameCase: false });

  expect(stored.outputTruncated).toBe(true);
  expect(await rescore(stored.key)).toEqual(stored);
  expect(await rescore("sha256:other")).toMatchObject({
    status: "invalid",
    score: null,
    cause: "no-verdict",
  });
});

test("rules that changed get what was decided before; expectations that changed do not", async () => {
  const seen: (string | undefined)[] = [];
  const suite = sampleSuite(
    {},
    {
      score: (_answer, _cell, _signal, before) => {
        seen.push(before?.status);
        return { score: 1, passed: true, reason: null };
      },
    },
  );
  const stored = await cellResult(byRule(42), answered(41), { ...context, attempts: [attempt] });

  for (const isSameCase of [true, false])
    await rescoredResult(stored, byRule(42), { ...context, suite, isSameCase });

  expect(seen).toEqual(["fail", undefined]);
});
