import fc from "fast-check";
import { expect, test } from "vitest";
import {
  sampleChoices,
  sampleJudgeName,
  sampleJudgments,
  sampleLine,
  sampleTriggerQuery,
} from "../../../../test/builders/sample-judgments.ts";
import type { Judgment } from "../../../contract/judge.ts";
import { type JudgeName, type QueryLine, TriggerResult } from "../../../contract/trigger-report.ts";
import { roundResult } from "../fold.ts";
import { queryFold } from "./fold-queries.ts";
import type { GoldAgreement } from "./gold-agreement.ts";
import { baselines } from "./trigger-metrics.ts";

const subject = {
  skillId: "s",
  skillDigest: "sha256:s",
  judge: sampleJudgeName,
  repeats: 4,
  threshold: 0.5,
};

interface Given {
  judge?: JudgeName;
  agreement?: GoldAgreement | null;
  lexical?: readonly boolean[] | null;
}

function fold(lines: readonly QueryLine[], given: Given = {}): TriggerResult {
  const { judge = sampleJudgeName, agreement = null, lexical = null } = given;
  const folding = queryFold({ ...subject, judge });
  for (const line of lines) folding.add(line);
  const sides = lines.map(({ side }) => side);
  const answers = lexical?.map((isYes, index) => ({ side: sides[index] ?? "should_match", isYes })) ?? null;
  const figures = folding.figures({ baselines: baselines(sides, answers), agreement });
  return TriggerResult.parse({ ...figures, skipped: null, gate: null });
}

const positive = (answers: string | Judgment[], id = "p") =>
  sampleLine(
    sampleTriggerQuery("should_match", id),
    typeof answers === "string" ? sampleJudgments(answers) : answers,
  );
const negative = (answers: string | Judgment[], belongsTo: string | null = null) =>
  sampleLine(
    sampleTriggerQuery("should_not_match", "n", belongsTo),
    typeof answers === "string" ? sampleJudgments(answers) : answers,
  );

test("queries and judgments have a matrix each; ties and queries without quorum are in no cell", () => {
  const result = fold([
    positive("YYYY"), // pass, TP
    positive("YYYN"), // undecided, TP by majority
    positive("YYNN"), // undecided, a tie
    positive("NNNN"), // fail, FN
    positive("yyyy"), // no-verdict: shown as failed, in no cell
    positive("YYEE"), // judge-error: inconclusive, in no cell though all valid answers are yes
    negative("NNNN"), // pass, TN
    negative("YYYY"), // fail, FP
    negative("N???"), // no-verdict
  ]);

  expect(result).toMatchObject({ passed: 2, failed: 4, inconclusive: 3 });
  expect(result.metrics?.query).toMatchObject({
    ...{ tp: 2, fn: 1, tn: 1, fp: 1, ties: 1, asked: 9 },
    coverage: 5 / 9,
    recall: 2 / 3,
  });
  expect(result.metrics?.judgment).toMatchObject({
    ...{ tp: 11, fn: 7, tn: 5, fp: 4, ties: 0, asked: 36 },
    coverage: 27 / 36,
  });
});

test("the order of the queries does not matter, not even to the last digit of the price", () => {
  const lines = ["YYYY", "YNNN", "y?nE", "NNNN", "YYYN"].map((answers, index) =>
    positive(
      sampleJudgments(answers).map((one) => ({ ...one, usd: 0.1 / (index + 3), ms: index * 7 + one.repeat })),
    ),
  );
  const whole = fold(lines);
  fc.assert(
    fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
      expect(fold(shuffled)).toEqual(whole);
    }),
    { numRuns: 20 },
  );
});

test("unusable replies are counted among all replies, those asked for again too", () => {
  const before = { why: "w", raw: "r", rawSha256: "ab", lenientDecision: "yes" } as const;
  const [first, ...rest] = sampleJudgments("Yn?E") as [Judgment, ...Judgment[]];

  const result = fold([positive([{ ...first, reasked: [before, before] }, ...rest])]);

  // three replies of this time and the two before; the error is not a reply
  expect(result).toMatchObject({ invalidRate: 4 / 5, lenient: { yes: 2, no: 1, neither: 1 } });
  expect(fold([positive("EEEE")]).invalidRate).toBeNull();
});

const judged = (usd: number | null, given: object = {}): Judgment =>
  ({ ...sampleJudgments("Y")[0], usd, ...given }) as Judgment;
const unmade = (code: string) => judged(null, { ...sampleJudgments("E")[0], code });

test.each<[string, Judgment[], number | null]>([
  ["all prices known", [judged(0.25), judged(0.5)], 0.75],
  ["a price unknown", [judged(0.25), judged(null)], null],
  ["an unknown price in the store", [judged(0.25), judged(null, { cached: true })], 0.25],
  ["everything in the store", [judged(0.25, { cached: true })], 0],
  [
    "not asked for lack of money, or of a recording",
    [judged(0.25), unmade("budget"), unmade("not-recorded")],
    0.25,
  ],
  ["a timeout, which may have cost", [judged(0.25), unmade("timeout")], null],
])("what was spent: %s", (_, judgments, usd) => {
  expect(fold([positive(judgments)]).usd).toBe(usd);
});

test("the router is not paid: no money and no tokens, not even none", () => {
  const judge: JudgeName = { kind: "router", model: null, prompt: "router/1" };

  expect(fold([positive([judged(0)])], { judge })).toMatchObject({
    ...{ usd: null, tokensIn: null, tokensOut: null },
    notes: [],
  });
});

test("latencies are those of replies; tokens those that were used now", () => {
  const judgments = [
    judged(1, { ms: 10 }),
    judged(1, { ms: 20 }),
    judged(1, { ms: 30, cached: true }),
    { ...unmade("budget"), ms: 9999 },
  ];

  expect(fold([positive(judgments)])).toMatchObject({
    latency: { p50Ms: 20, p95Ms: 30 },
    tokensIn: 620,
    tokensOut: 34,
    cached: 1,
  });
});

test("who was chosen is in the row of whom the request was meant for", () => {
  const choices = (...chosen: (string | null)[]) => sampleChoices("s", chosen);
  const result = fold([
    positive(choices("s", "s", "s", "s")),
    positive(choices("s", "s", "s", "b")),
    positive(choices("b", "b", "b", "b")),
    positive(choices("s", "s", "b", "b")), // nobody has more than half
    positive(choices(null, null, null, null)),
    negative(choices("b", "b", "b", "b"), "b"),
    negative(choices("a", "a", "a", "a"), "b"),
    negative(choices(null, null, null, "s")),
    negative("EEEE", "a"),
  ]);

  expect(result.confusion).toEqual([
    { intended: "s", chosen: { b: 1, s: 2 }, none: 1, undecided: 1 },
    { intended: "a", chosen: {}, none: 0, undecided: 1 },
    { intended: "b", chosen: { a: 1, b: 1 }, none: 0, undecided: 0 },
    { intended: null, chosen: {}, none: 1, undecided: 0 },
  ]);
  expect(fold([positive("YYYY")])).toMatchObject({ confusion: null, positionBias: null });
});

test("choices by place: the first and the last third of the cards, with what no bias would give", () => {
  const order = ["a", "b", "c", "d", "e", "f", "g"]; // thirds of two
  const { positionBias } = fold([
    positive(sampleChoices("s", ["a", "b", "c", "g"], order)),
    positive(sampleChoices("s", ["a", null, "x", "d"], order)), // none and a stranger have no place
    positive(sampleChoices("s", ["a", "a", "a", "a"], ["a", "b"])), // two cards have no thirds
  ]);

  expect(positionBias).toMatchObject({
    first: { count: 3, of: 6, rate: 0.5, expected: expect.closeTo(2 / 7, 12) },
    last: { count: 1, of: 6, interval: { lower: expect.closeTo(0.0125, 4) } }, // 6 answers to 2 queries
  });
});

const catalog: JudgeName = { kind: "catalog", model: "m", prompt: "trigger-catalog/1" };
const agent: JudgeName = { kind: "agent", model: null, prompt: null };
const right = [positive("YYYY"), positive("YYYY"), negative("NNNN"), negative("NNNN")];
const fair = [positive("YYYY"), positive("NNNN"), negative("NNNN"), negative("NNNN")];
const silent = [positive("NNNN"), positive("NNNN"), negative("NNNN"), negative("NNNN")];
const enough = { kappa: 0.8, minKappa: 0.6 };

test.each<[string, QueryLine[], Given, string[]]>([
  ["nobody has calibrated", right, {}, ["not calibrated"]],
  [
    "nobody has calibrated the agent",
    right,
    { judge: agent, lexical: [true, true, false, false] },
    ["not calibrated"],
  ],
  [
    "too little agreement",
    right,
    { agreement: { kappa: 0.41, minKappa: 0.6 } },
    ["cannot gate: kappa 0.410 is below 0.6"],
  ],
  [
    "agreement unknown",
    right,
    { agreement: { kappa: null, minKappa: 0.6 } },
    ["cannot gate: its agreement with gold labels is undefined"],
  ],
  ["better than lexical", right, { agreement: enough, lexical: [true, false, false, false] }, []],
  [
    "as good as lexical",
    fair,
    { agreement: enough, lexical: [true, false, false, false] },
    ["not better than lexical"],
  ],
  [
    "worse, by a catalog",
    fair,
    { judge: catalog, agreement: enough, lexical: [true, true, false, false] },
    ["not better than lexical"],
  ],
  [
    "undefined against a figure",
    silent,
    { agreement: enough, lexical: [true, false, false, false] },
    ["not better than lexical"],
  ],
  [
    "no verdict at all",
    [positive("EEEE"), negative("EEEE")],
    { agreement: enough, lexical: [true, false] },
    [],
  ],
  [
    "lexical undefined",
    right,
    { agreement: enough, lexical: [false, false, false, false] },
    ["not compared with lexical: its MCC is undefined"],
  ],
])("notes: %s", (_, lines, given, notes) => {
  expect(fold(lines, given).notes).toEqual(notes);
});

test("what is written is rounded: shares to 4 decimals, money to 6, latencies to 3; counts stay", () => {
  const exact = fold([positive([judged(0.1234567891, { ms: 1.23456 })]), positive("YYYY"), positive("N")]);
  const written = roundResult(exact);

  expect(written).toMatchObject({ passed: 2, latency: { p50Ms: 400 }, usd: 0.128457 });
  expect(written.metrics.query).toMatchObject({ tp: 2, fn: 1, recall: 0.6667, f1: 0.8 });
  expect(exact.metrics.query.recall).toBe(2 / 3);
});
