import type { CauseCode } from "../contract/cause.ts";
import type { Answered, Outcome } from "../contract/outcome.ts";
import type { Attempt, CellResult } from "../contract/result.ts";

/** How an outcome that is no answer stands in the record: what it is called, and why. */
export interface FaultWords {
  status: Exclude<Attempt["status"], "interrupted" | "answered">;
  error: { code: CauseCode; message: string };
}

/** The one place that says which outcome counts as what. */
export function faultWords(outcome: Exclude<Outcome, Answered>): FaultWords {
  switch (outcome.status) {
    case "failed":
      return { status: "error", error: { code: outcome.cause, message: outcome.message } };
    case "timed-out":
      return { status: "timeout", error: { code: "deadline", message: outcome.message } };
    case "invalid":
      return { status: "invalid", error: { code: outcome.cause, message: outcome.message } };
    default:
      return outcome satisfies never;
  }
}

/** What a skill said besides its answer, where it said something. */
export function chatterOf({
  stderrTail,
  stray,
}: Pick<Outcome, "stderrTail" | "stray">): Pick<CellResult, "stderrTail" | "stray"> {
  return { ...(stderrTail !== undefined && { stderrTail }), ...(stray !== undefined && { stray }) };
}
