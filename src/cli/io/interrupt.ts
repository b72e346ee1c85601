import { Interrupted } from "../../engine/interrupted.ts";
import { exitCodeOfSignal } from "./exit-codes.ts";

/** The first Ctrl-C or TERM asks the run to stop in order; the second leaves at once. Either way it can be resumed. */
export function listenForInterrupt(): Disposable & { signal: AbortSignal } {
  const stop = new AbortController();
  const handlers = (["SIGINT", "SIGTERM"] as const).map((name) => {
    const handle = () => {
      if (stop.signal.aborted) process.exit(exitCodeOfSignal[name]);
      stop.abort(new Interrupted(name));
    };
    process.on(name, handle);
    return () => process.off(name, handle);
  });
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const remove of handlers) remove();
    },
  };
}
