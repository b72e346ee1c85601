import { isMap } from "../base/is-map.ts";
import { parseStrictJson } from "../base/strict-json.ts";
import { textOrBase64 } from "../base/text-or-base64.ts";
import type { Json } from "../contract/json.ts";
import { unsafeIntegerWarning } from "./answer-words.ts";
import type { Wire } from "./json-rpc.ts";

/** What tool-host.py says of a call. */
export type HostReply =
  | { ok: true; data: Json }
  | {
      ok: false;
      kind: "import" | "no-function" | "exception" | "exit" | "not-object" | "not-json" | "too-large";
      /** The class of what was raised; empty where nothing was. */
      type: string;
      message: string;
    };

/** Speaks with tool-host.py, whose replies come on a descriptor that the prints of a tool do not reach. */
export function toolWire(script: string, name: string): Wire {
  return {
    greeting: "",
    request: (_id, input) => `${JSON.stringify({ script, function: name, arguments: input })}\n`,
    read(line) {
      const parsed = parseStrictJson(line.toString("utf8"));
      if (!parsed.ok) return { kind: "bad", problem: parsed.problem };
      if (!isHostReply(parsed.value)) return { kind: "stray", what: "text", text: textOrBase64(line) };
      const warnings = parsed.hasUnsafeInteger ? [unsafeIntegerWarning] : [];
      return { kind: "result", output: parsed.value as Json, usage: undefined, warnings };
    },
  };
}

/** The tool lives in the same process and could find the descriptor; what it writes there is held to the same shape. */
function isHostReply(value: unknown): boolean {
  if (!isMap(value)) return false;
  if (value.ok === true) return isMap(value.data);
  return (
    value.ok === false && [value.kind, value.type, value.message].every((part) => typeof part === "string")
  );
}
