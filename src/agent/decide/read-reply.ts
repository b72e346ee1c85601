import type { Decision } from "../../contract/agent-action.ts";
import type { AgentError } from "../../contract/agent-error.ts";
import type { Json } from "../../contract/json.ts";
import { extractJson } from "../stream/extract-json.ts";
import type { JsonStreamEnd } from "../stream/json-stream.ts";
import { readDecision } from "./read-decision.ts";
import type { DeclaredTool } from "./schema-hint.ts";

export type ReadReply = {
  recovered: "none" | "extracted";
  warnings: string[];
} & ({ ok: true; decision: Decision } | { ok: false; error: AgentError });

/** What a whole reply decides: the object in it, whatever stands around it, checked by its structure. */
export function readReply(text: string, end: JsonStreamEnd, tools: readonly DeclaredTool[] = []): ReadReply {
  const found = objectIn(text, end);
  if (!found.ok) return { ...found, recovered: "none", warnings: [] };
  const { value, recovered, warnings } = found;
  const read = readDecision(value, tools);
  if (!read.ok) return { ok: false, recovered, warnings, error: invalidOutput(read.problem) };
  return { ok: true, recovered, decision: read.decision, warnings: [...warnings, ...read.warnings] };
}

type Found =
  | { ok: true; value: Json; recovered: "none" | "extracted"; warnings: string[] }
  | { ok: false; error: AgentError };

/** The stream has read the whole text already. Only behind a brace that nothing closes it must be looked at once more. */
function objectIn(text: string, end: JsonStreamEnd): Found {
  if (end.ok) {
    const { value, noise, warnings } = end;
    return { ok: true, value, recovered: noise.before || noise.after ? "extracted" : "none", warnings };
  }
  const extracted = end.loneBrace === null ? null : extractJson(text);
  if (extracted?.ok) return { ...extracted, recovered: "extracted" };
  return { ok: false, error: invalidOutput(`the reply has no valid JSON object: ${end.problem}`, end.code) };
}

function invalidOutput(message: string, reason?: string): AgentError {
  return { code: "InvalidModelOutput", message, ...(reason !== undefined && { reason }) };
}
