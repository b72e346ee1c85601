import { outcomeOfReply } from "./describe-reply.ts";
import { type Codec, rpcCodec } from "./json-rpc.ts";
import type { Reply } from "./process-session.ts";

/** What differs between a program of the skill's author and our own program around something of theirs. */
export interface Protocol {
  /** For every process anew: it may hold what only this process knows. */
  openCodec(): Codec;
  outcomeOf: typeof outcomeOfReply;
  /** Whether a process that replied so is fit for the next request. */
  staysAfter(reply: Reply): boolean;
  /** How long a process that passed its deadline may tidy up before it is killed. */
  overdueMs: number;
}

export const plainProtocol: Protocol = {
  openCodec: () => rpcCodec,
  outcomeOf: outcomeOfReply,
  staysAfter: ({ kind }) => kind === "result" || kind === "error",
  overdueMs: 0,
};
