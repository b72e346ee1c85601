import { type CauseCode, mayPassOnRetry, reportedFaults, type SkillFault } from "../contract/cause.ts";
import type { Cell } from "../contract/cell.ts";
import type { FailureScorer, SuiteRun } from "../contract/level.ts";
import type { Answered, Failed, Outcome } from "../contract/outcome.ts";
import type { Attempt } from "../contract/result.ts";
import type { SeenFailure } from "../contract/scorer.ts";

/** Who decides about a call that failed; null where it is simply an error or a timeout. What we are to blame for nobody scores. */
export function failureScorer(suite: SuiteRun, cell: Cell, outcome: Outcome): FailureScorer | null {
  const failure = seenFailure(outcome);
  return failure === null ? null : (suite.failureScorer?.(cell, failure) ?? null);
}

/** Whether another attempt may help. */
export function isRetryable({ cause, isFinal }: Pick<Failed, "cause" | "isFinal">): boolean {
  return isFinal !== true && mayPassOnRetry(cause);
}

/** A failed call as scorers see it; null for answers, and for what we are to blame for. */
export function seenFailure(outcome: Outcome): SeenFailure | null {
  if (outcome.status !== "failed" && outcome.status !== "timed-out") return null;
  const { message } = outcome;
  if (outcome.status === "timed-out") {
    const known = { statusCode: null, isRetryable: true, isReported: false };
    return { status: "timeout", code: "deadline", message, ...known };
  }
  const { cause, statusCode = null, isReported = isReportedFault(cause) } = outcome;
  return {
    status: "error",
    code: cause,
    message,
    statusCode,
    isRetryable: isRetryable(outcome),
    isReported,
  };
}

function isReportedFault(cause: CauseCode): boolean {
  return (reportedFaults as readonly CauseCode[]).includes(cause);
}

/** The outcome behind a stored attempt that failed. */
export function outcomeOf(attempt: Attempt): Exclude<Outcome, Answered> {
  const { status, code, statusCode, isFinal, isReported } = attempt;
  const message = attempt.message ?? "";
  const latencyMs = attempt.latencyMs ?? 0;
  if (status === "timeout") return { status: "timed-out", message, latencyMs };
  const cause = code as SkillFault;
  return { status: "failed", cause, message, latencyMs, statusCode, isFinal, isReported };
}
