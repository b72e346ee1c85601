import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleChoices, sampleJudgments } from "../../../../test/builders/sample-judgments.ts";
import type { QuerySide } from "../../../contract/triggering.ts";
import { wilson } from "../../../shared/statistics/intervals.ts";
import { decideQuery, minRepeats, quorum } from "./decide-query.ts";

function decide(answers: string, side: QuerySide = "should_match", threshold = 0.5) {
  const judgments = sampleJudgments(answers);
  return decideQuery({ judgments, side, repeats: judgments.length, threshold, agreement: null });
}

/** A verdict in one word: the cause where there is none. */
function word(answers: string, side?: QuerySide, threshold?: number): string {
  const { verdict, cause } = decide(answers, side, threshold);
  return cause ?? verdict;
}

const times = (letter: string, count: number) => letter.repeat(count);

test.each([
  // [answers, should_match, should_not_match]
  ["Y", "pass", "fail"],
  ["N", "fail", "pass"],
  ["E", "judge-error", "judge-error"],
  ["?", "no-verdict", "no-verdict"],
  // two or three decide where all of them agree
  ["YY", "pass", "fail"],
  ["NN", "fail", "pass"],
  ["YN", "undecided", "undecided"],
  ["YYY", "pass", "fail"],
  ["YYN", "undecided", "undecided"],
  ["Y?", "no-verdict", "no-verdict"],
  ["YYE", "judge-error", "judge-error"],
  ["YYYY", "pass", "fail"],
  ["NNNN", "fail", "pass"],
  ["YYYN", "undecided", "undecided"],
  ["YYNN", "undecided", "undecided"],
  // quorum 4 of 5
  ["YYYY?", "pass", "fail"],
  ["NNNNE", "fail", "pass"],
  ["YYYN?", "undecided", "undecided"],
  ["YYY?E", "judge-error", "judge-error"],
  ["YY??E", "no-verdict", "no-verdict"],
  ["YYYEE", "judge-error", "judge-error"],
  ["YYY??", "no-verdict", "no-verdict"],
  // quorum 7 of 8
  ["YYYYYYYE", "pass", "fail"],
  ["YYYYYYEE", "judge-error", "judge-error"],
  ["YYYYYY?E", "judge-error", "judge-error"],
  ["YYYYYY??", "no-verdict", "no-verdict"],
  ["EEEEEEEE", "judge-error", "judge-error"],
  ["????????", "no-verdict", "no-verdict"],
  ["yyyyyyyy", "no-verdict", "no-verdict"],
  ["nnnnnnnn", "no-verdict", "no-verdict"],
])("%s: %s where it should match, %s where it should not", (answers, match, other) => {
  expect(word(answers)).toBe(match);
  expect(word(answers, "should_not_match")).toBe(other);
});

test.each([
  [4, 4, 0.51, 1],
  [5, 5, 0.566, 1],
  [8, 7, 0.529, 0.978],
  [10, 9, 0.596, 0.982],
  [12, 10, 0.552, 0.953],
  [15, 12, 0.548, 0.93],
  [20, 15, 0.531, 0.888],
])("of %i answers %i must agree, in the interval %d–%d", (n, agreeing, lower, upper) => {
  const enough = times("Y", agreeing) + times("N", n - agreeing);
  const tooFew = times("Y", agreeing - 1) + times("N", n - agreeing + 1);
  const mirrored = times("N", agreeing) + times("Y", n - agreeing);

  expect(decide(enough)).toMatchObject({ verdict: "pass", yes: agreeing, rate: agreeing / n });
  expect(decide(enough).interval?.map((bound) => Number(bound.toFixed(3)))).toEqual([lower, upper]);
  expect(word(enough, "should_not_match")).toBe("fail");
  expect(word(tooFew)).toBe("undecided");
  expect(word(mirrored)).toBe("fail");
  expect(word(mirrored, "should_not_match")).toBe("pass");
});

test("a bound that lies exactly on the threshold decides nothing", () => {
  const { lower = 0, upper = 1 } = wilson(6, 8) ?? {};

  expect(word("YYYYYYNN", "should_match", lower)).toBe("undecided");
  expect(word("YYYYYYNN", "should_match", lower - 1e-12)).toBe("pass");
  expect(word("YYYYYYNN", "should_match", upper)).toBe("undecided");
  expect(word("YYYYYYNN", "should_match", upper + 1e-12)).toBe("fail");
});

test("fewer than four answers decide without an interval and say so; no answer does not", () => {
  expect(decide("Y")).toMatchObject({ unreplicated: true, rate: 1, flips: false });
  expect(decide("YN")).toMatchObject({ unreplicated: true, rate: 0.5, flips: true });
  expect(decide("NNN", "should_match", 0.9)).toMatchObject({ unreplicated: true, verdict: "fail" });
  expect(decide("E")).toMatchObject({ unreplicated: false, rate: null, interval: null });
  expect(decide("YYYY")).toMatchObject({ unreplicated: false });
});

test("valid answers that differ are flagged; invalid ones differ from nobody", () => {
  expect(decide("YYYYYYYN").flips).toBe(true);
  expect(decide("YYYYYYY?").flips).toBe(false);
});

test.each([
  ["Y", "should_match", "It fits."],
  ["YNNNNNNN", "should_match", "It does not."],
  [
    "YYYYYNNN",
    "should_match",
    "5 of 8 valid answers said yes: the interval 0.306–0.863 includes the threshold 0.5",
  ],
  ["YNY", "should_match", "2 of 3 valid answers said yes: fewer than 4 answers decide only if all agree"],
  ["YYYY?EEE", "should_match", "3 of 8 questions got no reply (timeout): no reply within 30000 ms"],
  ["E", "should_not_match", "1 of 1 question got no reply (timeout): no reply within 30000 ms"],
  [
    "yyyn?NYE",
    "should_not_match",
    "the judge gave no usable answer: 5 of 8 answers contain no verdict (no decision line); 3 meant yes, 1 meant no",
  ],
] as const)("%s, %s: %s", (answers, side, reason) => {
  expect(decide(answers, side).reason).toBe(reason);
});

test("a judge that agrees too little with gold labels lets nothing pass, and fails as before", () => {
  const judgments = sampleJudgments("YYYY");
  const given = { judgments, repeats: 4, threshold: 0.5 };
  const word = (side: QuerySide, kappa: number | null) => {
    const { verdict, cause } = decideQuery({ ...given, side, agreement: { kappa, minKappa: 0.6 } });
    return cause ?? verdict;
  };

  expect(word("should_match", 0.59)).toBe("uncalibrated");
  expect(word("should_match", null)).toBe("uncalibrated");
  expect(word("should_match", 0.6)).toBe("pass");
  expect(word("should_not_match", 0.59)).toBe("fail");
});

test("what lacks a judgment got no reply", () => {
  const judgments = sampleJudgments("YYY");

  expect(
    decideQuery({ judgments, side: "should_match", repeats: 8, threshold: 0.5, agreement: null }),
  ).toMatchObject({ cause: "judge-error", yes: 3, error: 5, reason: "5 of 8 questions got no reply" });
});

test("a choice is that of more than half of the valid answers", () => {
  const chosen = (choices: (string | null)[]) => {
    const judgments = sampleChoices("a", choices);
    return decideQuery({ judgments, side: "should_match", repeats: 4, threshold: 0.5, agreement: null });
  };

  expect(chosen(["a", "b", "a", "a"])).toMatchObject({ chosen: "a", yes: 3, no: 1 });
  expect(chosen([null, "b", null, null])).toMatchObject({ chosen: null });
  expect(chosen(["a", "b", "a", "b"])).not.toHaveProperty("chosen");
  expect(decide("YYYY")).not.toHaveProperty("chosen");
});

test.each([
  [0.5, 4],
  [0.9, 35],
  [0.1, 35],
  [0.75, 12],
])("at a threshold of %d it takes %i answers to decide at all", (threshold, least) => {
  const all = times("Y", least);
  const none = times("N", least);

  expect(minRepeats(threshold)).toBe(least);
  expect([word(all, "should_match", threshold), word(none, "should_match", threshold)]).toEqual([
    "pass",
    "fail",
  ]);
  if (least === 4) return; // fewer decide by agreeing
  expect([
    word(all.slice(1), "should_match", threshold),
    word(none.slice(1), "should_match", threshold),
  ]).toContain("undecided");
});

const answers = fc
  .integer({ min: 1, max: 40 })
  .chain((length) =>
    fc.string({ unit: fc.constantFrom(..."YYYNNN?yE"), minLength: length, maxLength: length }),
  );
const side = fc.constantFrom<QuerySide>("should_match", "should_not_match");

test("answers add up, and without quorum nothing passes or fails", () => {
  fc.assert(
    fc.property(answers, side, (given, wanted) => {
      const { verdict, cause, yes, no, invalid, error, repeats } = decide(given, wanted);

      expect(yes + no + invalid + error).toBe(repeats);
      expect(quorum(repeats)).toBe(
        Array.from({ length: repeats + 1 }, (_, n) => n).find((n) => n * 10 >= repeats * 8),
      );
      expect(cause === null).toBe(verdict !== "invalid");
      const hasQuorum = yes + no >= quorum(repeats);
      expect(cause === "judge-error" || cause === "no-verdict").toBe(!hasQuorum);
    }),
  );
});

test("sides are symmetric: swapped answers on the other side get the same verdict", () => {
  const swapped: Record<string, string> = { Y: "N", N: "Y" };
  fc.assert(
    fc.property(answers, side, fc.constantFrom(0.5, 0.25, 0.75), (given, wanted, threshold) => {
      const other = wanted === "should_match" ? "should_not_match" : "should_match";
      const mirrored = [...given].map((letter) => swapped[letter] ?? letter).join("");

      expect(word(mirrored, other, 1 - threshold)).toBe(word(given, wanted, threshold));
    }),
  );
});

test("an invalid reply counts the same whatever it seemed to mean", () => {
  fc.assert(
    fc.property(answers, side, (given, wanted) => {
      expect(word(given.replaceAll("y", "n"), wanted)).toBe(word(given, wanted));
      expect(word(given.replaceAll("y", "?"), wanted)).toBe(word(given, wanted));
    }),
  );
});
