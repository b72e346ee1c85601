import type { IncomingMessage, ServerResponse } from "node:http";
import { readHead } from "./asked.ts";
import { cookieName, type GuardRules, guard } from "./guard.ts";
import { preflightReply, readableBy } from "./preflight.ts";
import { type Reply, refusal } from "./reply.ts";
import { type Admitted, answer } from "./routes.ts";
import { send } from "./send.ts";
import type { Served } from "./served.ts";

/** One request from its head to its answer. */
export async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  rules: GuardRules,
  served: Served,
): Promise<void> {
  const asked = readHead(request);
  if ("problem" in asked) return send(request, response, refusal(400, "request-invalid", asked.problem));
  const admission = guard(asked, rules);
  const readable = readableBy(admission.origin);
  if (!admission.admitted) return send(request, response, admission.reply, readable);
  if (admission.by === "preflight") return send(request, response, preflightReply(), readable);
  const newCookie = admission.by === "address" ? `${cookieName(rules.at)}=${rules.session}` : null;
  const reply = await answerOrApology({ asked, request, response, newCookie }, served);
  if (reply !== null) await send(request, response, reply, readable);
}

/** A disk that is full, a file that somebody holds: whoever asked hears that it failed, and whoever runs the server why. */
async function answerOrApology(admitted: Admitted, served: Served): Promise<Reply | null> {
  try {
    return await answer(admitted, served);
  } catch (error) {
    served.warn(`${admitted.asked.path} failed: ${(error as Error).message}`);
    return refusal(503, "failed", "the server cannot handle this request now; try again later", {
      "Retry-After": "5",
    });
  }
}
