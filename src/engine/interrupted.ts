import { setMaxListeners } from "node:events";

/** Why a run was stopped from outside. Not a failure: it can be resumed. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signal: "SIGINT" | "SIGTERM";

  constructor(signal: "SIGINT" | "SIGTERM") {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** A way to stop a run from inside as well as from outside. */
export function stopOn(outside: AbortSignal): { signal: AbortSignal; because: (reason: unknown) => void } {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every call under way listens; that is no leak
  if (outside.aborted) stop.abort(outside.reason);
  outside.addEventListener("abort", () => stop.abort(outside.reason), { once: true });
  return { signal: stop.signal, because: (reason) => stop.abort(reason) };
}
