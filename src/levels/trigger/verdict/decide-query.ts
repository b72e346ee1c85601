import type { Judgment } from "../../../contract/judge.ts";
import type { QuerySummary, TriggerCause } from "../../../contract/trigger-report.ts";
import type { QuerySide } from "../../../contract/triggering.ts";
import { z95 } from "../../../shared/statistics/wilson.ts";
import { type AnswerCounts, countAnswers } from "./count-answers.ts";
import {
  explainDisagreement,
  explainError,
  explainNoVerdict,
  explainUncalibrated,
  explainUndecided,
  reasonFor,
} from "./explain-decision.ts";
import { type GoldAgreement, isCalibratedEnough } from "./gold-agreement.ts";

export interface QueryCase {
  judgments: readonly Judgment[];
  side: QuerySide;
  /** How many judgments were asked for. */
  repeats: number;
  threshold: number;
  /** How far the judge agrees with gold labels; null where nobody has asked. */
  agreement: GoldAgreement | null;
}

export type QueryDecision = AnswerCounts &
  Pick<QuerySummary, "verdict" | "cause" | "unreplicated" | "reason">;

/** Folds the answers to one query into its verdict: first whether enough of them are valid, then what those say. */
export function decideQuery(given: QueryCase): QueryDecision {
  const counts = countAnswers(given.judgments, given.repeats);
  const found = find(given, counts);
  return { ...counts, ...found, unreplicated: isUnreplicated(given) && counts.rate !== null };
}

/** So few answers that no interval can decide at a threshold of 0.5, even if all of them agree. */
export function isUnreplicated({ repeats }: Pick<QueryCase, "repeats">): boolean {
  return repeats < minRepeats(0.5);
}

type Found = Pick<QuerySummary, "verdict" | "cause" | "reason">;

function find({ judgments, side, threshold, agreement }: QueryCase, counts: AnswerCounts): Found {
  const { repeats, yes, no, error } = counts;
  if (yes + no < quorumOf(repeats)) {
    const isOutage = yes + no + error >= quorumOf(repeats);
    return isOutage
      ? unsaid("judge-error", explainError(judgments, counts))
      : unsaid("no-verdict", explainNoVerdict(judgments, counts));
  }
  const decision = decisionOf(counts, threshold);
  if (decision === null) return unsaid("undecided", undecidedReason(counts, threshold));
  const isRight = (decision === "yes") === (side === "should_match");
  if (isRight && !isCalibratedEnough(agreement))
    return unsaid("uncalibrated", explainUncalibrated(agreement as GoldAgreement));
  return { verdict: isRight ? "pass" : "fail", cause: null, reason: reasonFor(decision, judgments) };
}

/** ⌈0.8·n⌉ in whole numbers: as a fraction 0.8·n can be a hair too much. */
export function quorumOf(repeats: number): number {
  return Math.ceil((4 * repeats) / 5);
}

/** How many answers it takes at least to clear a threshold on either side, all of them agreeing: n/(n + z²) must exceed it. */
export function minRepeats(threshold: number): number {
  const farther = Math.max(threshold, 1 - threshold);
  return Math.floor((z95 ** 2 * farther) / (1 - farther)) + 1;
}

/** Fewer than four answers decide where all of them agree; four or more must leave the threshold outside their interval. */
function decisionOf(counts: AnswerCounts, threshold: number): "yes" | "no" | null {
  const { yes, interval, flips } = counts;
  if (interval === null) return null;
  if (isUnreplicated(counts)) return flips ? null : yes > 0 ? "yes" : "no";
  const [lower, upper] = interval;
  if (lower > threshold) return "yes";
  return upper < threshold ? "no" : null;
}

function undecidedReason(counts: AnswerCounts, threshold: number): string {
  return isUnreplicated(counts) ? explainDisagreement(counts) : explainUndecided(counts, threshold);
}

function unsaid(cause: TriggerCause, reason: string): Found {
  return { verdict: "invalid", cause, reason };
}
