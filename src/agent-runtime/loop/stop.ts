import type { AgentError, StopReason } from "../../contract/agent-error.ts";
import type { LimitName } from "../../contract/agent-limits.ts";

/** Why a run ends. */
export interface Stop {
  reason: StopReason;
  /** The limit that ended it. */
  budget?: LimitName | undefined;
  /** What the model answered. */
  answer?: string | undefined;
  error?: AgentError | undefined;
  /** What was thrown where it is a defect. */
  defect?: unknown;
}

export function outOf(budget: LimitName): Stop {
  return { reason: "budget_exhausted", budget };
}
