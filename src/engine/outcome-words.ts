import type { CauseCode } from "../contract/cause.ts";
import type { Answered, Outcome } from "../contract/outcome.ts";
import type { Attempt, CellResult } from "../contract/result.ts";
import { roundMs } from "../shared/statistics/numbers.ts";

/** How an outcome without an answer is recorded. */
export interface FaultDescription {
  status: Exclude<Attempt["status"], "interrupted" | "answered">;
  error: { code: CauseCode; message: string };
}

/** Maps an outcome without an answer to its status and error. */
export function describeFault(outcome: Exclude<Outcome, Answered>): FaultDescription {
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

/** What a skill printed besides its answer, if anything. */
export function pickSideOutput({
  stderrTail,
  stray,
}: Pick<Outcome, "stderrTail" | "stray">): Pick<CellResult, "stderrTail" | "stray"> {
  return { ...(stderrTail !== undefined && { stderrTail }), ...(stray !== undefined && { stray }) };
}

/** How long it took; of a replay, when it was recorded. */
export function latencyOf(outcome: Outcome): number | null {
  const recorded = outcome.status === "answered" ? outcome.recorded : undefined;
  return roundMs(recorded === undefined ? outcome.latencyMs : recorded.ms);
}
