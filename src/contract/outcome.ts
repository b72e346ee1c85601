import * as z from "zod";
import type { RecordedTime } from "../shared/async/recorded-time.ts";
import type { Json } from "../shared/json/json.ts";
import type { HarnessFault, SkillFault } from "./cause.ts";
import type { NetworkAttempt } from "./sandbox.ts";

/** Tokens and money a call used, as far as the skill reports them. */
export const Usage = z.object({
  promptTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  totalTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
});
export type Usage = z.infer<typeof Usage>;

/** What was seen while a call was under way, however it ended. */
export interface Evidence {
  /** From handing the request over to the complete answer or failure, on the monotonic clock. */
  latencyMs: number;
  /** Start of a persistent process, where this call caused one. Not part of the latency. */
  startupMs?: number | undefined;
  usage?: Usage | undefined;
  /** Things worth reporting that do not change the status. */
  warnings?: readonly string[] | undefined;
  /** Lines on stdout that were no answer. */
  stray?: readonly string[] | undefined;
  /** The last part of stderr. */
  stderrTail?: string | undefined;
  /** Bytes received, where the answer was cut off. */
  bytesSeen?: number | undefined;
  /** An answer that is not UTF-8, stored as it came. */
  rawBase64?: string | undefined;
  /** What the skill tried to reach, where an allow-list let it through or refused it. */
  network?: readonly NetworkAttempt[] | undefined;
}

export type Answered = Evidence & {
  status: "answered";
  output: Json;
  /** Of a replay: what it took when it was recorded, which is its latency. */
  recorded?: RecordedTime | undefined;
};
export type Failed = Evidence & {
  status: "failed";
  cause: SkillFault;
  message: string;
  /** Whether another attempt may help, where the cause alone does not say (`http-status` 404). */
  isFinal?: boolean | undefined;
  /** How long the skill asked us to wait before the next attempt. */
  retryAfterMs?: number | undefined;
  /** The number that came with it: an HTTP status, a JSON-RPC code or an exit code. */
  statusCode?: number | undefined;
  /** Of a tool: `true` where it raised what Python raises about a bad argument. */
  isRefusal?: boolean | undefined;
  /** `false` where we found the fault and the skill was never asked, although the cause is one that skills report. */
  isReported?: boolean | undefined;
};
type TimedOut = Evidence & { status: "timed-out"; message: string };
type Undecided = Evidence & { status: "invalid"; cause: HarnessFault; message: string };

/** How executing a cell ended. What a skill does wrong is a finding: a value here, never a throw. */
export type Outcome = Answered | Failed | TimedOut | Undecided;

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
