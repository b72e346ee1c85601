import type { Action, PlanUpdate } from "../../contract/agent-action.ts";
import type { encodings } from "../../contract/agent-case.ts";
import type { JsonObject } from "../../shared/json/json.ts";

export interface ScriptedDecision {
  action: Action;
  plan_update: PlanUpdate | null;
  diagnostics: JsonObject | null;
}

/** A decision as a model might write it: the same object in other characters. */
export function encodeReply(decision: ScriptedDecision, encoding: (typeof encodings)[number]): string {
  switch (encoding) {
    case "compact":
      return JSON.stringify(decision);
    case "pretty":
      return JSON.stringify(decision, null, 2);
    case "fenced":
      return `\`\`\`json\n${JSON.stringify(decision, null, 2)}\n\`\`\``;
    case "escaped":
      return escaped(JSON.stringify(decision));
    case "payload_first": {
      const { action, plan_update, diagnostics } = decision;
      return JSON.stringify({
        diagnostics,
        plan_update,
        action: { payload: action.payload, type: action.type },
      });
    }
    default:
      return encoding satisfies never;
  }
}

/** JSON text with more escapes than it needs: all that is not ASCII, and some letters and slashes, in keys too. */
function escaped(json: string): string {
  let text = "";
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at] as string;
    if (char === "\\") {
      const length = json[at + 1] === "u" ? 6 : 2; // it is an escape already
      text += json.slice(at, at + length);
      at += length - 1;
      continue;
    }
    if (char === '"') isInString = !isInString;
    text += isInString ? escapedChar(char) : char;
  }
  return text;
}

const letters = "aeio";

function escapedChar(char: string): string {
  if (char === "/") return "\\/";
  if (char <= "\u007f" && !letters.includes(char)) return char;
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
