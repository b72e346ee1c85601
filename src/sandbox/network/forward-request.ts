import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { networkWords } from "../../shared/network/http.ts";

/** Forwards a plain request to its server and returns the response unchanged. */
export function forwardRequest(
  incoming: IncomingMessage,
  target: URL,
  upstream: Socket,
  answer: ServerResponse,
): void {
  const forwarded = startRequest(incoming, target, upstream);
  const fail = (error: Error) => {
    upstream.destroy();
    if (answer.headersSent) answer.destroy();
    else answer.writeHead(502, { "content-type": "text/plain" }).end(`eval-skills: ${networkWords(error)}\n`);
  };
  forwarded.on("error", fail);
  forwarded.on("response", (reply) => {
    try {
      answer.writeHead(reply.statusCode ?? 502, reply.statusMessage, passedOn(reply));
    } catch (error) {
      fail(error as Error);
      return;
    }
    reply.on("error", fail);
    reply.pipe(answer);
  });
  answer.once("close", () => upstream.destroy());
  incoming.pipe(forwarded);
}

function startRequest(incoming: IncomingMessage, target: URL, upstream: Socket): ClientRequest {
  const isChunked = incoming.headers["transfer-encoding"] !== undefined;
  // `Host` is that of the checked target, whatever the skill wrote: it decides which site answers behind the address.
  const headers = [...passedOn(incoming), "host", target.host, "connection", "close"];
  return request({
    createConnection: () => upstream,
    method: incoming.method,
    path: `${target.pathname}${target.search}`,
    headers: isChunked ? [...headers, "transfer-encoding", "chunked"] : headers,
    maxHeaderSize: 16_384,
    setHost: false,
  });
}

/** Headers of one connection only. Headers meant for the proxy itself are not forwarded, above all a password. */
const ownHeaders = new Set([
  "connection",
  "host",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Name, value, name, value: as they came, so that a header given twice stays given twice. */
function passedOn({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  const passed: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = [rawHeaders[at], rawHeaders[at + 1]];
    const key = name.toLowerCase();
    if (!ownHeaders.has(key) && !named.has(key)) passed.push(name, value);
  }
  return passed;
}
