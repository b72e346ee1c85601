import { setMaxListeners } from "node:events";

/** What stops a run cleanly: Ctrl-C, a polite end, a terminal that was closed. */
export type StopSignal = "SIGINT" | "SIGTERM" | "SIGHUP";

/** Why a run was stopped from outside. Not a failure: it can be resumed. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly signal: StopSignal;

  constructor(signal: StopSignal) {
    super(`interrupted by ${signal}`);
    this.signal = signal;
  }
}

/** A signal that can be aborted here, and is aborted with the outside signal. */
export function linkAbort(outside: AbortSignal): { signal: AbortSignal; abort: (reason: unknown) => void } {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // every running call listens, which is not a leak
  if (outside.aborted) stop.abort(outside.reason);
  outside.addEventListener("abort", () => stop.abort(outside.reason), { once: true });
  return { signal: stop.signal, abort: (reason) => stop.abort(reason) };
}
