import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { readHead } from "./asked.ts";
import { cookieName, type GuardRules, guard } from "./guard.ts";
import { emptyReply, type Reply, refusal, safeHeaders } from "./reply.ts";
import { type Admitted, answer } from "./routes.ts";
import type { Served } from "./served.ts";

/** One request from its head to its answer. */
export async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  rules: GuardRules,
  served: Served,
): Promise<void> {
  const head = readHead(request);
  if ("problem" in head) return send(request, response, refusal(400, "request-invalid", head.problem));
  const admission = guard(head, rules);
  const readable = readableBy(admission.origin);
  if (!admission.admitted) return send(request, response, admission.reply, readable);
  if (admission.by === "preflight") return send(request, response, preflightReply(), readable);
  const newCookie = admission.by === "address" ? `${cookieName(rules.at)}=${rules.session}` : null;
  const reply = await answerOrApology({ head, request, response, newCookie }, served);
  if (reply !== null) await send(request, response, reply, readable);
}

/** A disk that is full, a file that somebody holds: the client gets the failure, and the log of the server the reason. */
async function answerOrApology(admitted: Admitted, served: Served): Promise<Reply | null> {
  try {
    return await answer(admitted, served);
  } catch (error) {
    served.warn(`${admitted.head.path} failed: ${(error as Error).message}`);
    return refusal(503, "failed", "the server cannot handle this request now; try again later", {
      "Retry-After": "5",
    });
  }
}

/** The preflight answer for an allowed origin: with the token in a header, and without cookies. */
function preflightReply(): Reply {
  return emptyReply(204, {
    "Access-Control-Allow-Methods": "POST",
    "Access-Control-Allow-Headers": "authorization, content-type",
    "Access-Control-Max-Age": "600",
  });
}

/** Lets this origin read the answer. */
function readableBy(origin: string | null) {
  return origin === null ? {} : { "Access-Control-Allow-Origin": origin, Vary: "Origin" };
}

const maxDrainedBytes = 4 * 1024 * 1024;
const drainedMs = 1000;

/** Sends an answer. A body that nobody wanted ends the connection, once its sender had a moment to read why. */
async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Reply,
  more: OutgoingHttpHeaders = {},
): Promise<void> {
  if (response.destroyed || response.headersSent) return;
  const isPending = hasBody(request) && !request.complete;
  response.writeHead(status, {
    ...safeHeaders,
    ...headers,
    ...more,
    ...(status !== 204 && { "Content-Length": Buffer.byteLength(body) }),
    ...(isPending && { Connection: "close" }),
  });
  if (isPending) {
    response.flushHeaders();
    response.write(body);
    // Closing over what was not read would reset the connection, and the sender might lose the answer.
    await drain(request);
    response.end();
    return;
  }
  response.end(body);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Reads on for a moment, and keeps nothing. */
function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const timer = setTimeout(done, drainedMs).unref();
    function done(): void {
      clearTimeout(timer);
      request.pause();
      resolve();
    }
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > maxDrainedBytes) done();
    });
    request.once("end", done).once("close", done).once("error", done);
  });
}
