import type { Json, JsonObject } from "../shared/json/json.ts";
import type { Outcome } from "./outcome.ts";

/** What a model can be told about a call instead of its result. People's tests name these words. */
export const toolErrorCodes = [
  "unknown-tool",
  "ambiguous-tool",
  "malformed-call",
  "bad-arguments",
  "tool-failed",
  "bad-result",
  "tool-missing",
  "timeout",
  "tool-crashed",
  "result-too-large",
  "call-limit",
] as const;
export type ToolErrorCode = (typeof toolErrorCodes)[number];

/** What a model is told about a call: always one of two forms. */
export type ToolEnvelope = { result: { data: JsonObject } } | { error: { message: string } };

const maxMessageChars = 500;

/** The envelope of a call that came to nothing. */
export function toolError(code: ToolErrorCode, sentence: string): ToolEnvelope {
  const text = `${code}: ${sentence.replace(/\s+/g, " ").trim()}`;
  const characters = [...text];
  return {
    error: {
      message:
        characters.length <= maxMessageChars ? text : `${characters.slice(0, maxMessageChars - 1).join("")}…`,
    },
  };
}

/** What a model is told about how a call ended; null where we could not find out, which is not the fault of the tool. */
export function toEnvelope(outcome: Outcome): ToolEnvelope | null {
  switch (outcome.status) {
    case "answered":
      return { result: { data: outcome.output as JsonObject } };
    case "timed-out":
      return toolError("timeout", outcome.message);
    case "failed":
      return isToolErrorCode(outcome.cause) ? toolError(outcome.cause, outcome.message) : null;
    case "invalid":
      return null;
    default:
      return outcome satisfies never;
  }
}

/** The one line a model reads. */
export function toolResultLine(envelope: ToolEnvelope): string {
  return `TOOL_RESULT: ${JSON.stringify(envelope satisfies Json)}`;
}

function isToolErrorCode(code: string): code is ToolErrorCode {
  return (toolErrorCodes as readonly string[]).includes(code);
}
