import type { AgentError, StopReason } from "../../contract/agent-error.ts";
import type { LimitName } from "../../contract/limits.ts";
import { onAbort } from "../../shared/async/abort.ts";
import { startTimer } from "../../shared/async/clock.ts";

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

export function stopAtLimit(budget: LimitName): Stop {
  return { reason: "budget_exhausted", budget };
}

/** Ends what a run waits for: its time is up, or somebody called it off. */
export interface Interruption extends Disposable {
  /** For the model. */
  readonly signal: AbortSignal;
  /** For tools: they know how long they have and end by themselves, with a record of it. Only one that overstays is broken off. */
  readonly toolSignal: AbortSignal;
  /** Null while the run may go on. */
  readonly cause: "cancelled" | "timeout" | null;
}

const maxGraceMs = 2000;

export function watchInterruption(outer: AbortSignal, timeoutMs: number): Interruption {
  const ofModel = new AbortController();
  const ofTools = new AbortController();
  let isLate = false;
  let timer = startTimer(endTime, timeoutMs);
  const callOff = onAbort(outer, cancel);
  if (outer.aborted) cancel();

  function endTime(): void {
    isLate = true;
    const reason = new Error("the time of the run is up");
    timer = startTimer(() => ofTools.abort(reason), Math.min(maxGraceMs, timeoutMs));
    ofModel.abort(reason);
  }
  function cancel(): void {
    ofModel.abort(outer.reason);
    ofTools.abort(outer.reason);
  }

  return {
    signal: ofModel.signal,
    toolSignal: ofTools.signal,
    get cause() {
      if (outer.aborted) return "cancelled";
      return isLate ? "timeout" : null;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      callOff();
    },
  };
}
