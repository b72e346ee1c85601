import type { CallLimits } from "../contract/outcome.ts";
import { onAbort } from "../shared/async/abort.ts";
import { startTimer } from "../shared/async/clock.ts";

/** The result if it comes before the deadline, else null. Throws the reason of an interruption without waiting any further. */
export function withinDeadline<Value>(
  work: Promise<Value>,
  { deadlineMs, signal }: CallLimits,
): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const end = (finish: () => void) => {
      clearTimeout(timer);
      callOff();
      finish();
    };
    // When we were busy ourselves, an answer may lie in the pipe already: one turn to read it, then the clock decides.
    const timer = startTimer(() => void setImmediate(end, () => resolve(null)), deadlineMs);
    const callOff = onAbort(signal, () => end(() => reject(signal.reason)));
    work.then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
  });
}
