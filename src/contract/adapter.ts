import type { Json } from "../shared/json/json.ts";
import type { Outcome } from "./outcome.ts";

export interface CallLimits {
  /** Counted from handing the request over; queueing and start-up are outside. */
  deadlineMs: number;
  /** Aborted when the run is interrupted: the call then throws the signal's reason, and nothing of it is left. */
  signal: AbortSignal;
  /** The text of the document that is open: for tools of skills that want it. */
  document?: string | undefined;
}

/** A way to reach a skill: an input goes in, what happened comes out. Write one and every suite can use it. */
export interface Adapter extends AsyncDisposable {
  call(input: Json, limits: CallLimits): Promise<Outcome>;
}
