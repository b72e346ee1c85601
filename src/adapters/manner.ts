import { outcomeOfReply } from "./describe-reply.ts";
import { rpcWire, type Wire } from "./json-rpc.ts";
import type { Reply } from "./process-talk.ts";

/** What differs between a program of the skill's author and our own program around something of theirs. */
export interface Manner {
  /** For every process anew: it may hold what only this process knows. */
  openWire(): Wire;
  outcomeOf: typeof outcomeOfReply;
  /** Whether a process that replied so is fit for the next request. */
  staysAfter(reply: Reply): boolean;
  /** How long a process that passed its deadline may tidy up before it is killed. */
  overdueMs: number;
}

export const plainManner: Manner = {
  openWire: () => rpcWire,
  outcomeOf: outcomeOfReply,
  staysAfter: ({ kind }) => kind === "result" || kind === "error",
  overdueMs: 0,
};
