import type { IncomingMessage, ServerResponse } from "node:http";
import { intakeLimits } from "../limits.ts";
import type { RequestHead } from "./asked.ts";
import { type Reply, refusal } from "./reply.ts";

/** Null: the sender left, and there is nobody to answer. */
export type JsonBody = { document: unknown } | { reply: Reply } | null;

/** Why a body is not even begun; null where it is. No plain form of a web page can send this type. */
export function refusedBody({ header }: RequestHead): Reply | null {
  if (!/^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(header("content-type") ?? ""))
    return refusal(415, "type-refused", "the body must be application/json");
  const encoding = header("content-encoding");
  if (encoding !== null && encoding.toLowerCase() !== "identity")
    return refusal(415, "encoding-refused", "the body must not be compressed");
  return Number(header("content-length") ?? 0) > intakeLimits.bodyBytes ? tooLarge() : null;
}

/** Reads a body to its end or to the cap, whatever its head said about size. */
export async function readJsonBody(request: IncomingMessage, response: ServerResponse): Promise<JsonBody> {
  // A sender with `Expect: 100-continue` may go on only now, after all other checks.
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await wholeBody(request);
  if (bytes === "too-large") return { reply: tooLarge() };
  if (bytes === "broken-off") return null;
  try {
    return { document: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch (error) {
    const problem = error instanceof SyntaxError ? error.message : "it is not UTF-8";
    return { reply: refusal(400, "json-invalid", `the body is not JSON: ${problem}`) };
  }
}

function tooLarge(): Reply {
  return refusal(413, "too-large", `the body is larger than ${intakeLimits.bodyBytes} bytes`);
}

function wholeBody(request: IncomingMessage): Promise<Buffer | "too-large" | "broken-off"> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= intakeLimits.bodyBytes) return void chunks.push(chunk);
      request.off("data", onData).pause();
      resolve("too-large");
    };
    request.on("data", onData);
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", () => resolve("broken-off"));
    request.once("close", () => resolve("broken-off"));
  });
}
