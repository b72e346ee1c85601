import type { Summary } from "../../src/contract/figures.ts";
import type { CellResult } from "../../src/contract/result.ts";
import {
  type SkillSummary,
  type SummaryPlan,
  skillSummary,
} from "../../src/engine/figures/summarize-skill.ts";
import { sampleResult } from "../../src/store/samples.ts";

/** A summary for tests, over two tasks `a` and `b`, with these results. */
export function sampleSummary(
  results: Iterable<CellResult>,
  changes: Partial<SummaryPlan> = {},
): SkillSummary {
  const summary = skillSummary({
    scoring: sampleScoring(),
    runs: 1,
    cases: makeCases(["a", "b"]),
    ...changes,
  });
  for (const result of results) summary.add(result);
  return summary;
}

const letters = { p: "pass", f: "fail", e: "error", t: "timeout", i: "invalid" } as const;

/** Results from one word per task and one letter per trial: `{ a: "pf", b: "pi" }`; `.` is a cell without a result. */
export function makeResults(words: Record<string, string>): CellResult[] {
  return Object.entries(words).flatMap(([taskId, word]) =>
    [...word].flatMap((letter, index) =>
      letter === "."
        ? []
        : [sampleResult({ caseId: taskId, trial: index + 1, status: letters[letter as "p"] })],
    ),
  );
}

/** Scoring for tests: by the mean, but for what is given. */
export function sampleScoring(changes: Partial<SummaryPlan["scoring"]> = {}): SummaryPlan["scoring"] {
  return { scoringMethod: "mean", k: 1, maxLatencyMs: 30_000, ...changes };
}

/** The figures of a summary without what is known of their precision. */
export function summaryValues(summary: Summary) {
  const { passAtK, passHatK, passAtKIntervals: _, consistencyScore, compositeScore, ...figures } = summary;
  const values = Object.entries(figures).map(([name, { value }]) => [name, value] as const);
  return {
    ...(Object.fromEntries(values) as Record<keyof typeof figures, number | null>),
    ...{ consistencyScore, compositeScore, passAtK, passHatK },
  };
}

/** The values of the summary over `makeResults` of these words. */
export function makeSummary(words: Record<string, string>, changes: Partial<SummaryPlan> = {}) {
  return summaryValues(summarizeWords(words, changes));
}

/** The summary over `makeResults` of these words. */
export function summarizeWords(words: Record<string, string>, changes: Partial<SummaryPlan> = {}): Summary {
  const runs = Math.max(...Object.values(words).map((word) => word.length));
  const summary = sampleSummary(makeResults(words), {
    cases: makeCases(Object.keys(words)),
    runs,
    ...changes,
  });
  return summary.figures().summary;
}

/** Cases of these ids, without tags and of equal weight. */
export function makeCases(ids: readonly string[]): SummaryPlan["cases"] {
  return ids.map((id) => ({ id, tags: [], weight: 1 }));
}
