import { countOf } from "../../base/count-of.ts";
import { shorten } from "../../base/visible-text.ts";
import type { Judgment, UnusableReply } from "../../contract/judge.ts";
import type { AnswerCounts } from "./count-answers.ts";
import type { GoldAgreement } from "./gold-agreement.ts";

type Outcome<Name> = Extract<Judgment, { outcome: Name }>;

/** What the judge said for the side that won, the first time. */
export function saidFor(decision: "yes" | "no", judgments: readonly Judgment[]): string | null {
  const said = judgments.find((one): one is Outcome<"yes" | "no"> => one.outcome === decision);
  return said?.reason ?? null;
}

export function tellUndecided({ yes, no, interval }: AnswerCounts, threshold: number): string {
  const [lower, upper] = interval ?? [0, 1];
  const between = `${lower.toFixed(3)}–${upper.toFixed(3)}`;
  return `${yes} of ${countOf(yes + no, "valid answer")} said yes: the interval ${between} leaves both sides of ${threshold} open`;
}

/** Where so few answers were asked for that only agreement decides. */
export function tellDisagreement({ yes, no }: AnswerCounts): string {
  return `${yes} of ${countOf(yes + no, "valid answer")} said yes: fewer than 4 answers decide only if all agree`;
}

export function tellError(judgments: readonly Judgment[], { repeats, error }: AnswerCounts): string {
  const failed = judgments.filter((one): one is Outcome<"error"> => one.outcome === "error");
  const codes = [...new Set(failed.map(({ code }) => code))].sort();
  const told = failed[0] === undefined ? "" : ` (${codes.join(", ")}): ${shorten(failed[0].message, 200)}`;
  return `${error} of ${countOf(repeats, "question")} got no reply${told}`;
}

export function tellNoVerdict(judgments: readonly Judgment[], { repeats, invalid }: AnswerCounts): string {
  const unusable = judgments.filter((one): one is Outcome<"invalid"> => one.outcome === "invalid");
  const why = shorten(unusable[0]?.why ?? "nothing was replied", 200);
  const share = `${invalid} of ${countOf(repeats, "answer")} ${invalid === 1 ? "is" : "are"}`;
  return `the judge gave no usable answer: ${share} no verdict (${why})${tellMeant(unusable)}`;
}

/** What would have been read by somebody who is content with less. It informs and decides nothing. */
function tellMeant(unusable: readonly UnusableReply[]): string {
  const meant = (decision: "yes" | "no") =>
    unusable.filter(({ lenientDecision }) => lenientDecision === decision).length;
  const told = (["yes", "no"] as const).flatMap((decision) =>
    meant(decision) === 0 ? [] : [`${meant(decision)} meant ${decision}`],
  );
  return told.length === 0 ? "" : `; ${told.join(", ")}`;
}

export function tellUncalibrated({ kappa, minKappa }: GoldAgreement): string {
  const told = kappa === null ? "kappa is undefined" : `kappa ${kappa.toFixed(3)}`;
  return `would pass, but the judge agrees too little with gold labels: ${told}, needed ${minKappa}`;
}
