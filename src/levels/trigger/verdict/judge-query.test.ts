import { expect, test } from "vitest";
import { sampleAnswer, sampleJudge, sampleQuestion } from "../../../../test/builders/sample-judgments.ts";
import { askOnce } from "./judge-query.ts";

const { signal } = new AbortController();
const question = (repeat = 0) => ({ ...sampleQuestion("q"), repeat });

test("an answer is kept with the repetition it belongs to", async () => {
  const judge = sampleJudge(({ repeat }) => sampleAnswer("YNYE"[repeat] as string));

  expect(await askOnce(question(1), { judge, signal })).toMatchObject({ repeat: 1, outcome: "no" });
  expect(await askOnce(question(3), { judge, signal })).toMatchObject({ repeat: 3, outcome: "error" });
});

test("a judge sees the question alone: no side, no other query", async () => {
  const seen: object[] = [];
  const judge = sampleJudge((question) => {
    seen.push(question);
    return sampleAnswer("N");
  });

  await askOnce(question(), { judge, signal });

  expect(seen).toEqual([question()]);
});

const circle: Record<string, unknown> = { outcome: "perhaps" };
circle.self = circle;

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a bare word", "yes"],
  ["an unknown outcome", { outcome: "perhaps" }],
  ["a yes without a reason", { ...sampleAnswer("Y"), reason: undefined }],
  ["a duration that is not a number", { ...sampleAnswer("Y"), ms: Number.NaN }],
  ["a list", [sampleAnswer("Y")]],
  ["a circle", circle],
])("an answer that is %s is invalid, never a no", async (_, answer) => {
  const judgment = await askOnce(question(3), { judge: sampleJudge(() => answer), signal });

  expect(judgment).toMatchObject({
    repeat: 3,
    outcome: "invalid",
    why: expect.stringContaining("invalid answer from the judge"),
    lenientDecision: null,
    usd: null,
  });
});

test.each<[string, () => unknown, string]>([
  [
    "throws",
    () => {
      throw new Error("no such file");
    },
    "the judge failed: no such file",
  ],
  [
    "throws something odd",
    () => {
      throw { code: 7 };
    },
    'the judge failed: {"code":7}',
  ],
  [
    "rejects",
    () => Promise.reject(new TypeError("x is not a function")),
    "the judge failed: x is not a function",
  ],
  [
    "hands over a trap",
    () => ({
      get outcome() {
        throw new Error("caught you");
      },
    }),
    "the judge failed: caught you",
  ],
])("a judge that %s gives an error, never a crash", async (_, answer, message) => {
  const judgment = await askOnce(question(), { judge: sampleJudge(answer), signal });

  expect(judgment).toMatchObject({ repeat: 0, outcome: "error", code: "crashed", message });
});

test("an interruption ends the judging with its reason", async () => {
  const controller = new AbortController();
  const reason = new Error("stopped");
  const judge = sampleJudge(
    (_, given) =>
      new Promise((_done, reject) => {
        given.addEventListener("abort", () => reject(new Error("the socket closed")));
        setImmediate(() => controller.abort(reason));
      }),
  );

  const judging = askOnce(question(), { judge, signal: controller.signal });

  await expect(judging).rejects.toBe(reason);
});

test("long texts are cut and strange members dropped; what is kept begins as a line of the log does", async () => {
  const answer = { ...sampleAnswer("Y"), reason: "x".repeat(9999), rawSha256: "ab", secret: "s", repeat: 77 };

  const judgment = await askOnce(question(), { judge: sampleJudge(() => answer), signal });

  expect(Object.keys(judgment)).toEqual([
    "repeat",
    "outcome",
    "reason",
    "rawSha256",
    "ms",
    "tokensIn",
    "tokensOut",
    "usd",
    "cached",
  ]);
  expect(judgment).toMatchObject({ repeat: 0, reason: expect.stringMatching(/^x{399}…$/) });
});

test("replies that were asked for again are kept with the answer, cut as well", async () => {
  const before = { why: "w", raw: "r".repeat(2000), rawSha256: "ab", lenientDecision: "no" };
  const judge = sampleJudge(() => ({ ...sampleAnswer("E"), reasked: Array(50).fill(before) }));

  const judgment = await askOnce(question(), { judge, signal });

  expect(judgment.reasked).toHaveLength(10);
  expect(judgment.reasked?.[0]?.raw).toHaveLength(500);
});
