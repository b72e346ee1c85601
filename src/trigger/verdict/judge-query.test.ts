import { expect, test } from "vitest";
import { Places } from "../../base/places.ts";
import { judgeQuery } from "./judge-query.ts";
import { sampleAnswer, sampleJudge, sampleQuestion } from "./sample-judgments.ts";

const { signal } = new AbortController();
const world = { repeats: 4, lanes: new Places(8), signal };

test("a query is asked as often as was said, whatever the first answers are, and kept in order of repetition", async () => {
  const asked: number[] = [];
  const turns: (() => void)[] = [];
  const judge = sampleJudge(async ({ repeat }) => {
    asked.push(repeat);
    await new Promise<void>((done) => {
      turns.unshift(done); // the last one asked is the first to answer
      if (turns.length === 4) for (const turn of turns) turn();
    });
    return sampleAnswer("YNYE"[repeat] as string);
  });

  const judgments = await judgeQuery(sampleQuestion(), { ...world, judge });

  expect(asked).toEqual([0, 1, 2, 3]);
  expect(judgments.map(({ repeat, outcome }) => [repeat, outcome])).toEqual([
    [0, "yes"],
    [1, "no"],
    [2, "yes"],
    [3, "error"],
  ]);
});

test("queries share their places: no more judgments are under way than there are", async () => {
  let active = 0;
  let most = 0;
  const judge = sampleJudge(async () => {
    most = Math.max(most, ++active);
    await new Promise((done) => setImmediate(done));
    active--;
    return sampleAnswer("Y");
  });
  const lanes = new Places(3);

  const all = await Promise.all(
    ["a", "b", "c"].map((id) => judgeQuery(sampleQuestion(id), { ...world, lanes, judge })),
  );

  expect(most).toBe(3);
  expect(all.flat()).toHaveLength(12);
});

test("a judge sees the question alone: no side, no other query", async () => {
  const seen: object[] = [];
  const judge = sampleJudge((question) => {
    seen.push(question);
    return sampleAnswer("N");
  });

  await judgeQuery(sampleQuestion("q"), { ...world, repeats: 1, judge });

  expect(seen).toEqual([{ ...sampleQuestion("q"), repeat: 0 }]);
});

const circle: Record<string, unknown> = { outcome: "perhaps" };
circle.self = circle;

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["null", null],
  ["a bare word", "yes"],
  ["an unknown outcome", { outcome: "perhaps" }],
  ["a yes without a reason", { ...sampleAnswer("Y"), reason: undefined }],
  ["a duration that is no number", { ...sampleAnswer("Y"), ms: Number.NaN }],
  ["a list", [sampleAnswer("Y")]],
  ["a circle", circle],
])("an answer that is %s is invalid, never a no", async (_, answer) => {
  const judgments = await judgeQuery(sampleQuestion(), { ...world, judge: sampleJudge(() => answer) });

  expect(judgments.map(({ outcome }) => outcome)).toEqual(["invalid", "invalid", "invalid", "invalid"]);
  expect(judgments[3]).toMatchObject({
    repeat: 3,
    why: expect.stringContaining("the judge's answer is not one"),
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
    "the judge broke off: no such file",
  ],
  [
    "throws something odd",
    () => {
      throw { code: 7 };
    },
    'the judge broke off: {"code":7}',
  ],
  [
    "rejects",
    () => Promise.reject(new TypeError("x is not a function")),
    "the judge broke off: x is not a function",
  ],
  [
    "hands over a trap",
    () => ({
      get outcome() {
        throw new Error("caught you");
      },
    }),
    "the judge broke off: caught you",
  ],
])("a judge that %s gives an error, never a crash", async (_, answer, message) => {
  const judgments = await judgeQuery(sampleQuestion(), { ...world, judge: sampleJudge(answer) });

  expect(judgments).toHaveLength(4);
  expect(judgments[0]).toMatchObject({ repeat: 0, outcome: "error", code: "crashed", message });
});

test("an interruption ends the judging with its reason, also for those who wait", async () => {
  const controller = new AbortController();
  const reason = new Error("stopped");
  const judge = sampleJudge(
    (_, asked) =>
      new Promise((_done, reject) => {
        asked.addEventListener("abort", () => reject(new Error("the socket closed")));
        setImmediate(() => controller.abort(reason));
      }),
  );

  const judging = judgeQuery(sampleQuestion(), {
    ...world,
    lanes: new Places(1),
    judge,
    signal: controller.signal,
  });

  await expect(judging).rejects.toBe(reason);
});

test("long texts are cut and strange members dropped; what is kept begins as a line of the log does", async () => {
  const answer = { ...sampleAnswer("Y"), reason: "x".repeat(9999), rawSha256: "ab", secret: "s", repeat: 77 };

  const [judgment] = await judgeQuery(sampleQuestion(), {
    ...world,
    repeats: 1,
    judge: sampleJudge(() => answer),
  });

  expect(Object.keys(judgment ?? {})).toEqual([
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

  const [judgment] = await judgeQuery(sampleQuestion(), { ...world, repeats: 1, judge });

  expect(judgment?.reasked).toHaveLength(10);
  expect(judgment?.reasked?.[0]?.raw).toHaveLength(500);
});
