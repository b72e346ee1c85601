import { createContext, Script } from "node:vm";

const context: { work?: (() => unknown) | undefined } = {};
let limited: Script | null = null;

/** Does work that has to end in time, such as matching a pattern. It blocks this thread for so long, and what it changed stays changed. */
export function within<Value>(
  limitMs: number,
  work: () => Value,
): { isInTime: true; value: Value } | { isInTime: false } {
  if (limited === null) {
    createContext(context);
    // `vm` is not a sandbox here, it is the one way to stop code that is under way in this thread.
    limited = new Script("work()");
  }
  const outer = context.work;
  context.work = work;
  try {
    return { isInTime: true, value: limited.runInContext(context, { timeout: limitMs }) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
    return { isInTime: false };
  } finally {
    context.work = outer;
  }
}
