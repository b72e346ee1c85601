import type { CellResult, Counts, Verdict } from "../../contract/result.ts";
import { pluralize } from "../../shared/text/phrases.ts";

/** How a cell ended, in a word or two: `passed on attempt 2`, `timed out`. */
export function statusWords({ status, attempts }: Pick<CellResult, "status" | "attempts">): string {
  return status === "pass" && attempts.length > 1 ? `passed on attempt ${attempts.length}` : endWords[status];
}

export const endWords: Record<Verdict, string> = {
  pass: "passed",
  fail: "failed",
  error: "error",
  timeout: "timed out",
  invalid: "no verdict",
};

/** Why a cell ended as it did; empty where there is nothing to say. The cause is named where something broke. */
export function cellReason({ cause, reason }: Pick<CellResult, "cause" | "reason">): string {
  if (cause === null) return reason ?? "";
  return reason === null || reason === "" ? cause : `${cause}: ${reason}`;
}

/** How the trials of a case ended: `failed`, `failed in 2 of 3 trials`, `1 failed, 2 timed out of 3 trials`. */
export function trialWords(counts: Counts): string {
  const trials = counts.total + counts.invalid;
  const ends = (Object.keys(endWords) as Verdict[]).filter(
    (status) => status !== "pass" && counts[status] > 0,
  );
  const [only] = ends;
  if (only === undefined) return endWords.pass;
  if (trials === 1) return endWords[only];
  if (ends.length === 1) return `${endWords[only]} in ${counts[only]} of ${pluralize(trials, "trial")}`;
  const words = (status: Verdict) => (status === "invalid" ? "without a verdict" : endWords[status]);
  return `${ends.map((status) => `${counts[status]} ${words(status)}`).join(", ")} of ${pluralize(trials, "trial")}`;
}

/** The worst way in which trials of a case ended. */
export function worstStatus(counts: Counts): Verdict {
  const order = ["error", "timeout", "fail", "invalid"] as const;
  return order.find((status) => counts[status] > 0) ?? "pass";
}
