import type { Judgment, UnusableReply } from "../../../contract/judge.ts";
import type { QuerySummary, TriggerCause } from "../../../contract/trigger-report.ts";
import type { QuerySide } from "../../../contract/triggering.ts";
import { z95 } from "../../../shared/statistics/distributions.ts";
import { wilson } from "../../../shared/statistics/intervals.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import { shorten } from "../../../shared/text/visible-text.ts";
import { type GoldAgreement, isCalibratedEnough } from "./gold-agreement.ts";

export interface QueryCase {
  judgments: readonly Judgment[];
  side: QuerySide;
  /** The number of requested judgments. */
  repeats: number;
  threshold: number;
  /** How far the judge agrees with gold labels; null where it is not calibrated. */
  agreement: GoldAgreement | null;
}

type QueryDecision = AnswerCounts & Pick<QuerySummary, "verdict" | "cause" | "unreplicated" | "reason">;

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
  if (yes + no < quorum(repeats)) {
    const isOutage = yes + no + error >= quorum(repeats);
    return isOutage
      ? noVerdict("judge-error", explainError(judgments, counts))
      : noVerdict("no-verdict", explainNoVerdict(judgments, counts));
  }
  const decision = decideAnswers(counts, threshold);
  if (decision === null) return noVerdict("undecided", undecidedReason(counts, threshold));
  const isRight = (decision === "yes") === (side === "should_match");
  if (isRight && !isCalibratedEnough(agreement))
    return noVerdict("uncalibrated", explainUncalibrated(agreement as GoldAgreement));
  return { verdict: isRight ? "pass" : "fail", cause: null, reason: reasonFor(decision, judgments) };
}

/** ⌈0.8·n⌉ in integers: in floating point 0.8·n can be slightly too large. */
export function quorum(repeats: number): number {
  return Math.ceil((4 * repeats) / 5);
}

/** How many answers it takes at least to clear a threshold on either side, all of them agreeing: n/(n + z²) must exceed it. */
export function minRepeats(threshold: number): number {
  const farther = Math.max(threshold, 1 - threshold);
  return Math.floor((z95 ** 2 * farther) / (1 - farther)) + 1;
}

/** Fewer than four answers decide where all of them agree; four or more must leave the threshold outside their interval. */
function decideAnswers(counts: AnswerCounts, threshold: number): "yes" | "no" | null {
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

function noVerdict(cause: TriggerCause, reason: string): Found {
  return { verdict: "invalid", cause, reason };
}

/** The counts of the answers to one query. */
type AnswerCounts = Pick<
  QuerySummary,
  "repeats" | "yes" | "no" | "invalid" | "error" | "rate" | "interval" | "flips" | "chosen"
>;

/** Counts the answers to one query. A repetition without judgment got no reply. */
function countAnswers(judgments: readonly Judgment[], repeats: number): AnswerCounts {
  const count = { yes: 0, no: 0, invalid: 0, error: repeats - judgments.length };
  for (const { outcome } of judgments) count[outcome]++;
  const { yes, no } = count;
  const valid = yes + no;
  const bounds = wilson(yes, valid);
  const chosen = majorityChoice(judgments, valid);
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
function majorityChoice(judgments: readonly Judgment[], valid: number): string | null | undefined {
  const votes = new Map<string | null, number>();
  for (const judgment of judgments) {
    if (!("chosen" in judgment) || judgment.chosen === undefined) continue;
    const count = (votes.get(judgment.chosen) ?? 0) + 1;
    if (2 * count > valid) return judgment.chosen;
    votes.set(judgment.chosen, count);
  }
  return undefined;
}

type Outcome<Name> = Extract<Judgment, { outcome: Name }>;

/** The first reason that the judge gave for the winning side. */
function reasonFor(decision: "yes" | "no", judgments: readonly Judgment[]): string | null {
  const judgment = judgments.find((one): one is Outcome<"yes" | "no"> => one.outcome === decision);
  return judgment?.reason ?? null;
}

function explainUndecided({ yes, no, interval }: AnswerCounts, threshold: number): string {
  const [lower, upper] = interval ?? [0, 1];
  const between = `${lower.toFixed(3)}–${upper.toFixed(3)}`;
  return `${yes} of ${pluralize(yes + no, "valid answer")} said yes: the interval ${between} includes the threshold ${threshold}`;
}

/** For so few answers that only agreement decides. */
function explainDisagreement({ yes, no }: AnswerCounts): string {
  return `${yes} of ${pluralize(yes + no, "valid answer")} said yes: fewer than 4 answers decide only if all agree`;
}

function explainError(judgments: readonly Judgment[], { repeats, error }: AnswerCounts): string {
  const failed = judgments.filter((one): one is Outcome<"error"> => one.outcome === "error");
  const codes = [...new Set(failed.map(({ code }) => code))].sort();
  const detail = failed[0] === undefined ? "" : ` (${codes.join(", ")}): ${shorten(failed[0].message, 200)}`;
  return `${error} of ${pluralize(repeats, "question")} got no reply${detail}`;
}

function explainNoVerdict(judgments: readonly Judgment[], { repeats, invalid }: AnswerCounts): string {
  const unusable = judgments.filter((one): one is Outcome<"invalid"> => one.outcome === "invalid");
  const why = shorten(unusable[0]?.why ?? "nothing was replied", 200);
  const share = `${invalid} of ${pluralize(repeats, "answer")} ${invalid === 1 ? "contains" : "contain"}`;
  return `the judge gave no usable answer: ${share} no verdict (${why})${explainMeant(unusable)}`;
}

/** What a lenient reader would have read. For information only. */
function explainMeant(unusable: readonly UnusableReply[]): string {
  const meant = (decision: "yes" | "no") =>
    unusable.filter(({ lenientDecision }) => lenientDecision === decision).length;
  const detail = (["yes", "no"] as const).flatMap((decision) =>
    meant(decision) === 0 ? [] : [`${meant(decision)} meant ${decision}`],
  );
  return detail.length === 0 ? "" : `; ${detail.join(", ")}`;
}

function explainUncalibrated({ kappa, minKappa }: GoldAgreement): string {
  const detail = kappa === null ? "kappa is undefined" : `kappa ${kappa.toFixed(3)}`;
  return `would pass, but the judge does not agree enough with the gold labels: ${detail}, needed ${minKappa}`;
}
