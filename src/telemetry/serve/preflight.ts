import { emptyReply, type Reply } from "./reply.ts";

/** What an origin is told that may send events: with the token in a header, and without cookies. */
export function preflightReply(): Reply {
  return emptyReply(204, {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "authorization, content-type",
    "Access-Control-Max-Age": "600",
  });
}

/** Lets this origin read the answer. */
export function readableBy(origin: string | null) {
  return origin === null ? {} : { "Access-Control-Allow-Origin": origin, Vary: "Origin" };
}
