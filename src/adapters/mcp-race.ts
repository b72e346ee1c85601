import { startTimer } from "../base/clock.ts";
import { onAbort } from "../base/on-abort.ts";
import type { CallLimits } from "../contract/adapter.ts";

/**
 * Does a piece of work until the deadline: null when it passed first. Throws the reason of an interruption.
 * In both cases the work hears of it by its signal, and nobody waits for what it makes of that.
 */
export function withinDeadline<Value>(
  work: (signal: AbortSignal) => Promise<Value>,
  { deadlineMs, signal }: CallLimits,
): Promise<Value | null> {
  return new Promise((resolve, reject) => {
    const cancel = new AbortController();
    const end = (finish: () => void) => {
      clearTimeout(timer);
      callOff();
      finish();
    };
    const silence = () => {
      cancel.abort(new Error("the deadline passed"));
      resolve(null);
    };
    // When we were busy ourselves, an answer may lie in the pipe already: one turn to read it, then the clock decides.
    const timer = startTimer(() => void setImmediate(() => end(silence)), deadlineMs);
    const callOff = onAbort(signal, () =>
      end(() => {
        cancel.abort(signal.reason);
        reject(signal.reason);
      }),
    );
    work(cancel.signal).then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(error)),
    );
  });
}
