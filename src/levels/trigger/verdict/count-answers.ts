import type { Judgment } from "../../../contract/judge.ts";
import type { QuerySummary } from "../../../contract/trigger-report.ts";
import { wilson } from "../../../shared/statistics/wilson.ts";

/** How the answers to one query fell out. */
export type AnswerCounts = Pick<
  QuerySummary,
  "repeats" | "yes" | "no" | "invalid" | "error" | "rate" | "interval" | "flips" | "chosen"
>;

/** Counts the answers to one query. A repetition without judgment got no reply. */
export function countAnswers(judgments: readonly Judgment[], repeats: number): AnswerCounts {
  const count = { yes: 0, no: 0, invalid: 0, error: repeats - judgments.length };
  for (const { outcome } of judgments) count[outcome]++;
  const { yes, no } = count;
  const valid = yes + no;
  const bounds = wilson(yes, valid);
  const chosen = choiceOfMost(judgments, valid);
  return {
    repeats,
    ...count,
    rate: valid === 0 ? null : yes / valid,
    interval: bounds && [bounds.lower, bounds.upper],
    flips: yes > 0 && no > 0,
    ...(chosen !== undefined && { chosen }),
  };
}

/** More than half, as for yes and no: a skill that a third of the answers chose was not chosen. */
function choiceOfMost(judgments: readonly Judgment[], valid: number): string | null | undefined {
  const votes = new Map<string | null, number>();
  for (const judgment of judgments) {
    if (!("chosen" in judgment) || judgment.chosen === undefined) continue;
    const count = (votes.get(judgment.chosen) ?? 0) + 1;
    if (2 * count > valid) return judgment.chosen;
    votes.set(judgment.chosen, count);
  }
  return undefined;
}
