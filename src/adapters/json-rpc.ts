import { isUtf8 } from "node:buffer";
import type { Usage } from "../contract/outcome.ts";
import type { Json } from "../shared/json/json.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { textOrBase64 } from "../shared/text/bytes-to-text.ts";
import { shorten } from "../shared/text/visible-text.ts";
import { readUsage, unsafeIntegerWarning } from "./answers.ts";

export type RpcReply =
  | { kind: "result"; output: Json; usage: Usage | undefined; warnings: string[] }
  | { kind: "error"; message: string; code: number | null }
  | { kind: "bad"; problem: string; rawBase64?: string };

/** What a line on stdout is: the reply to this request, or something else with a description. */
export type RpcLine = RpcReply | { kind: "stray"; what: string; text: string };

/** Encodes requests and decodes replies as lines, for one process. */
export interface Codec {
  /** Sent as soon as the process has started. */
  greeting: string;
  request(id: number, input: Json, deadlineMs: number): string;
  read(line: Buffer, id: number): RpcLine;
}

/** Plain JSON-RPC, as any program can speak it. */
export const rpcCodec: Codec = {
  greeting: "",
  request: (id, input) => `${JSON.stringify({ jsonrpc: "2.0", id, method: "invoke", params: input })}\n`,
  read: readRpcLine,
};

/** Reads one line strictly: same id in type and value, version 2.0, a result or an error, no tricks. */
export function readRpcLine(bytes: Buffer, id: number): RpcLine {
  if (!isUtf8(bytes)) {
    const problem = "the answer is not UTF-8";
    const text = bytes.toString("latin1");
    if (claimsToBeReply(text)) return { kind: "bad", problem, rawBase64: bytes.toString("base64") };
    return { kind: "stray", what: "bytes that are not UTF-8", text: textOrBase64(bytes) };
  }
  const text = bytes
    .toString("utf8")
    .replace(/^\ufeff/, "")
    .trim();
  if (text === "") return { kind: "stray", what: "an empty line", text };
  if (text.startsWith("[")) return { kind: "stray", what: "a JSON array (batches are not read)", text };
  if (!text.startsWith("{")) return { kind: "stray", what: isJson(text) ? "bare JSON" : "text", text };
  const parsed = parseStrictJson(text);
  if (!parsed.ok) {
    if (claimsToBeReply(text))
      return { kind: "bad", problem: `the answer cannot be read: ${parsed.problem}` };
    return { kind: "stray", what: text === "{" ? "the start of JSON over several lines" : "text", text };
  }
  return readMessage(parsed.value as Record<string, unknown>, id, text, parsed.hasUnsafeInteger);
}

function readMessage(message: Record<string, unknown>, id: number, text: string, isUnsafe: boolean): RpcLine {
  const stray = (what: string): RpcLine => ({ kind: "stray", what, text });
  if (message.jsonrpc !== "2.0") return stray("JSON without jsonrpc 2.0");
  if (!Object.hasOwn(message, "id")) return stray("a message without id");
  if (message.id !== id) {
    return stray(String(message.id) === String(id) ? "an id of another type" : "an answer with another id");
  }
  const hasResult = Object.hasOwn(message, "result");
  const hasError = Object.hasOwn(message, "error") && message.error !== null;
  if (hasResult && hasError) return { kind: "bad", problem: "the answer has both result and error" };
  if (hasError) return { kind: "error", ...describeError(message.error) };
  if (!hasResult) return stray("a message with neither result nor error");
  const { usage, warnings } = readUsage(message.usage);
  if (isUnsafe) warnings.push(unsafeIntegerWarning);
  return { kind: "result", output: message.result as Json, usage, warnings };
}

const messageChars = 4096;

function describeError(error: unknown): { message: string; code: number | null } {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return {
    message: shorten(typeof message === "string" ? message : JSON.stringify(error), messageChars),
    code: typeof code === "number" ? code : null,
  };
}

/** A line that means to answer us and cannot be read is a wrong answer; anything else is chatter. */
function claimsToBeReply(text: string): boolean {
  return text.trimStart().startsWith("{") && text.includes('"jsonrpc"');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
