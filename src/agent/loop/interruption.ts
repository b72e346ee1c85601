import { startTimer } from "../../base/clock.ts";
import { onAbort } from "../../base/on-abort.ts";

/** Ends what a run waits for: its time is up, or somebody called it off. */
export interface Interruption extends Disposable {
  readonly signal: AbortSignal;
  /** Null while the run may go on. */
  readonly cause: "cancelled" | "timeout" | null;
}

export function watchInterruption(outer: AbortSignal, timeoutMs: number): Interruption {
  const controller = new AbortController();
  let isLate = false;
  const cancel = () => controller.abort(outer.reason);
  if (outer.aborted) cancel();
  const callOff = onAbort(outer, cancel);
  const timer = startTimer(() => {
    isLate = true;
    controller.abort(new Error("the time of the run is up"));
  }, timeoutMs);
  return {
    signal: controller.signal,
    get cause() {
      // A clock that a test holds may say that time is up before the timer does; the other way round it is called off.
      if (outer.aborted) return "cancelled";
      return isLate ? "timeout" : null;
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      callOff();
    },
  };
}
