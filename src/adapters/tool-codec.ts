import { randomUUID } from "node:crypto";
import type { Clock } from "../shared/async/clock.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { textOrBase64 } from "../shared/text/bytes-to-text.ts";
import { unsafeIntegerWarning } from "./answers.ts";
import type { Codec } from "./json-rpc.ts";

/** A request to tool-host.py. */
export interface HostRequest {
  script: string;
  function: string;
  /** Null: the tool is only loaded. */
  arguments: JsonObject | null;
}

/** The reply of tool-host.py to a call. */
export type HostReply = (
  | { ok: true; data: Json }
  | {
      ok: false;
      kind: "import" | "no-function" | "exception" | "exit" | "not-object" | "not-json" | "too-large";
      /** The class of the exception; empty if there was none. */
      type: string;
      message: string;
      /** Set where the exception is a `TypeError`, `ValueError` or `LookupError`, or a kind of one of them. */
      refusal?: boolean;
    }
) & {
  /** Set by a persistent host: the tool left something behind, so the host must not be reused. */
  last?: boolean;
};

/** The codec of a host that serves one call; replies come on a descriptor that the output of a tool does not reach. */
export function toolCodec(): Codec {
  return {
    greeting: "",
    request: (_id, input) => `${JSON.stringify(input)}\n`,
    read: (line) => readReply(line, () => true),
  };
}

/** The codec of a persistent host. */
export interface LastingCodec extends Codec {
  /** When it was ready to load a tool, on the monotonic clock; null until then. */
  readonly readyAt: number | null;
}

/** Opens the codec of a persistent host. Request ids cannot be guessed, so nothing an earlier call left behind passes for a reply. */
export function lastingToolCodec(clock: Clock): LastingCodec {
  let id = "";
  let readyAt: number | null = null;
  return {
    get readyAt() {
      return readyAt;
    },
    greeting: "",
    request(_id, input) {
      id = randomUUID();
      return `{"id":"${id}",${JSON.stringify(input).slice(1)}\n`;
    },
    read(line) {
      if (readyAt !== null || !line.equals(readyLine)) return readReply(line, (reply) => reply.id === id);
      readyAt = clock.monotonic();
      return { kind: "stray", what: "the ready message", text: "" };
    },
  };
}

/** Written before any tool is loaded that could write something. */
const readyLine = Buffer.from('{"ready":true}');

function readReply(
  line: Buffer,
  isMeant: (reply: Record<string, unknown>) => boolean,
): ReturnType<Codec["read"]> {
  const parsed = parseStrictJson(line.toString("utf8"));
  if (!parsed.ok) return { kind: "bad", problem: parsed.problem };
  const { value } = parsed;
  if (!isHostReply(value) || !isMeant(value))
    return { kind: "stray", what: "text", text: textOrBase64(line) };
  const warnings = parsed.hasUnsafeInteger ? [unsafeIntegerWarning] : [];
  return { kind: "result", output: value as Json, usage: undefined, warnings };
}

/** The tool lives in the same process and could find the descriptor; what it writes there must have the same shape. */
function isHostReply(value: unknown): value is Record<string, unknown> {
  if (!isMap(value)) return false;
  if (value.ok === true) return isMap(value.data);
  return (
    value.ok === false && [value.kind, value.type, value.message].every((part) => typeof part === "string")
  );
}
