import { isUtf8 } from "node:buffer";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";
import { isMap } from "../shared/json/json-values.ts";
import { maxNesting, parseStrictJson } from "../shared/json/strict-json.ts";
import { textOrBase64 } from "../shared/text/bytes-to-text.ts";

/** What a line on a server's stdout is: a message, something to ignore, chatter, or an unreadable message. */
export type McpLine =
  | { kind: "message"; message: JSONRPCMessage; hasUnsafeInteger: boolean }
  | { kind: "idle" }
  | { kind: "stray"; text: string }
  | { kind: "bad"; problem: string; rawBase64?: string };

/** The envelope of a message adds nesting to the value that has to be stored. */
const messageNesting = maxNesting + 3;

interface RpcMessage {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  result?: unknown;
  error?: unknown;
}

/** Reads one line as strictly as every other answer is read. */
export function readMessage(line: Buffer): McpLine {
  // A line that means to be a message and cannot be read is a wrong answer; anything else is chatter.
  const isMeant = line.includes('"jsonrpc"');
  if (!isUtf8(line)) {
    return isMeant
      ? { kind: "bad", problem: "the answer is not UTF-8", rawBase64: line.toString("base64") }
      : { kind: "stray", text: textOrBase64(line) };
  }
  const text = line.toString("utf8").trim();
  if (text === "") return { kind: "idle" };
  if (!text.startsWith("{")) return { kind: "stray", text };
  const parsed = parseStrictJson(text, messageNesting);
  if (!parsed.ok) {
    return isMeant
      ? { kind: "bad", problem: `the answer cannot be read: ${parsed.problem}` }
      : { kind: "stray", text };
  }
  const message = parsed.value as RpcMessage;
  if (message.jsonrpc !== "2.0") return { kind: "stray", text };
  if (message.method === undefined && !isMap(message.result) && !isRpcError(message.error))
    return {
      kind: "bad",
      problem: "the answer has neither a valid result nor a valid error",
    };
  // Progress and log messages change nothing here; dropped at once, a flood of them costs little until the cap ends it.
  if (message.id === undefined && message.method !== "notifications/tools/list_changed")
    return { kind: "idle" };
  return {
    kind: "message",
    message: message as JSONRPCMessage,
    hasUnsafeInteger: parsed.hasUnsafeInteger,
  };
}

function isRpcError(error: unknown): boolean {
  return isMap(error) && Number.isInteger(error.code) && typeof error.message === "string";
}
