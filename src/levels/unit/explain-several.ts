import type { CellResult } from "../../contract/result.ts";
import type { ScorerType } from "../../contract/scorer-type.ts";
import type { Expectation, ExpectItem } from "../../contract/task.ts";
import type { Block } from "../../contract/view.ts";
import type { ExpectationScore } from "../../scorers/expectation-score.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { explainOne } from "./explain-expectation.ts";

/** A table of several expectations, and below it what each of those that are not met expects. */
export function explainSeveral(
  cell: CellResult,
  expect: readonly ExpectItem[],
  scores: readonly SingleScore[],
): Block[] {
  const unmet = scores.flatMap(({ number, steps, score }) => {
    const expected = expectedAt(expect, steps);
    if (expected === undefined || score?.passed !== false || score.scorerType === undefined) return [];
    const isCompared = cell.cause === null && score.score !== null;
    const { scorerType } = score;
    const { blocks } = explainOne(cell, expected, { scorerType, isPassed: false, isCompared });
    const label = `Expectation ${number}`;
    return blocks.map((block) => ({
      ...block,
      title: block.title === undefined ? label : `${label}: ${block.title.toLowerCase()}`,
    }));
  });
  return [...scoreTable(scores, expect), ...unmet];
}

export interface SingleScore {
  /** `2`, or `2.1` for its first alternative. */
  number: string;
  steps: readonly [number, number?];
  score: { scorerType?: ScorerType; passed: boolean; score: number | null; reason: string | null };
}

/** Every expectation that was decided, alternatives below the one they belong to. */
export function* singleScores(expectations: readonly ExpectationScore[]): Generator<SingleScore> {
  for (const [at, score] of expectations.entries()) {
    yield { number: `${at + 1}`, steps: [at], score };
    const alternatives = "anyOf" in score ? score.anyOf : [];
    for (const [below, one] of alternatives.entries())
      yield { number: `${at + 1}.${below + 1}`, steps: [at, below], score: one };
  }
}

function expectedAt(
  expect: readonly ExpectItem[],
  [at, below]: SingleScore["steps"],
): Expectation | undefined {
  return below === undefined ? expect[at] : expect[at]?.anyOf?.[below];
}

const expectedChars = 80;

export function scoreTable(scores: readonly SingleScore[], expect: readonly ExpectItem[]): Block[] {
  if (scores.length === 0) return [];
  return [
    {
      kind: "table",
      title: "Expectations",
      columns: [
        { label: "No." },
        { label: "Scorer" },
        { label: "Result" },
        { label: "Score", unit: "score" },
        { label: "Expected" },
        { label: "Reason" },
      ],
      rows: scores.map(({ number, steps, score: { scorerType, passed, score, reason } }) => {
        const expected = scorerType === undefined ? undefined : expectedAt(expect, steps);
        const result = score === null ? "no verdict" : passed ? "pass" : "fail";
        const words = expected === undefined ? "" : shorten(JSON.stringify(expected), expectedChars);
        return [number, scorerType ?? "any of", result, score, words, reason ?? ""];
      }),
    },
  ];
}
