import type { Judgment, UnusableReply } from "../../../contract/judge.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { shorten } from "../../../shared/text/visible-text.ts";
import type { AnswerCounts } from "./count-answers.ts";
import type { GoldAgreement } from "./gold-agreement.ts";

type Outcome<Name> = Extract<Judgment, { outcome: Name }>;

/** What the judge said for the side that won, the first time. */
export function reasonFor(decision: "yes" | "no", judgments: readonly Judgment[]): string | null {
  const said = judgments.find((one): one is Outcome<"yes" | "no"> => one.outcome === decision);
  return said?.reason ?? null;
}

export function explainUndecided({ yes, no, interval }: AnswerCounts, threshold: number): string {
  const [lower, upper] = interval ?? [0, 1];
  const between = `${lower.toFixed(3)}–${upper.toFixed(3)}`;
  return `${yes} of ${countOf(yes + no, "valid answer")} said yes: the interval ${between} includes the threshold ${threshold}`;
}

/** Where so few answers were asked for that only agreement decides. */
export function explainDisagreement({ yes, no }: AnswerCounts): string {
  return `${yes} of ${countOf(yes + no, "valid answer")} said yes: fewer than 4 answers decide only if all agree`;
}

export function explainError(judgments: readonly Judgment[], { repeats, error }: AnswerCounts): string {
  const failed = judgments.filter((one): one is Outcome<"error"> => one.outcome === "error");
  const codes = [...new Set(failed.map(({ code }) => code))].sort();
  const detail = failed[0] === undefined ? "" : ` (${codes.join(", ")}): ${shorten(failed[0].message, 200)}`;
  return `${error} of ${countOf(repeats, "question")} got no reply${detail}`;
}

export function explainNoVerdict(judgments: readonly Judgment[], { repeats, invalid }: AnswerCounts): string {
  const unusable = judgments.filter((one): one is Outcome<"invalid"> => one.outcome === "invalid");
  const why = shorten(unusable[0]?.why ?? "nothing was replied", 200);
  const share = `${invalid} of ${countOf(repeats, "answer")} ${invalid === 1 ? "contains" : "contain"}`;
  return `the judge gave no usable answer: ${share} no verdict (${why})${explainMeant(unusable)}`;
}

/** What would have been read by somebody who is content with less. It informs and decides nothing. */
function explainMeant(unusable: readonly UnusableReply[]): string {
  const meant = (decision: "yes" | "no") =>
    unusable.filter(({ lenientDecision }) => lenientDecision === decision).length;
  const detail = (["yes", "no"] as const).flatMap((decision) =>
    meant(decision) === 0 ? [] : [`${meant(decision)} meant ${decision}`],
  );
  return detail.length === 0 ? "" : `; ${detail.join(", ")}`;
}

export function explainUncalibrated({ kappa, minKappa }: GoldAgreement): string {
  const detail = kappa === null ? "kappa is undefined" : `kappa ${kappa.toFixed(3)}`;
  return `would pass, but the judge does not agree enough with the gold labels: ${detail}, needed ${minKappa}`;
}
