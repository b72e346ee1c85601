import { randomUUID } from "node:crypto";
import type { Clock } from "../shared/async/clock.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { textOrBase64 } from "../shared/text/bytes-to-text.ts";
import { unsafeIntegerWarning } from "./answers.ts";
import type { Codec } from "./json-rpc.ts";

/** What tool-host.py is asked. */
export interface HostRequest {
  script: string;
  function: string;
  /** Null: the tool is only loaded. */
  arguments: JsonObject | null;
}

/** What tool-host.py says of a call. */
export type HostReply = (
  | { ok: true; data: Json }
  | {
      ok: false;
      kind: "import" | "no-function" | "exception" | "exit" | "not-object" | "not-json" | "too-large";
      /** The class of what was raised; empty where nothing was. */
      type: string;
      message: string;
    }
) & {
  /** Said by a host that stays: the tool left something behind, and nobody should be asked here again. */
  last?: boolean;
};

/** Speaks with a host that serves one call; its replies come on a descriptor that the prints of a tool do not reach. */
export function toolCodec(): Codec {
  return {
    greeting: "",
    request: (_id, input) => `${JSON.stringify(input)}\n`,
    read: (line) => readReply(line, () => true),
  };
}

/** How one speaks with a host that stays. */
export interface LastingCodec extends Codec {
  /** When it was ready to load a tool, on the monotonic clock; null until then. */
  readonly readyAt: number | null;
}

/** Speaks with a host that stays. Nobody can guess the id of the next request: what an earlier call leaves behind is no reply to it. */
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

/** Written before there is a tool that could write anything. */
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

/** The tool lives in the same process and could find the descriptor; what it writes there is held to the same shape. */
function isHostReply(value: unknown): value is Record<string, unknown> {
  if (!isMap(value)) return false;
  if (value.ok === true) return isMap(value.data);
  return (
    value.ok === false && [value.kind, value.type, value.message].every((part) => typeof part === "string")
  );
}
