import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { Reply } from "./reply.ts";
import { safeHeaders } from "./safe-headers.ts";

const maxDrainedBytes = 4 * 1024 * 1024;
const drainedMs = 1000;

/** Sends an answer. A body that nobody wanted ends the connection, once its sender had a moment to read why. */
export async function send(
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
