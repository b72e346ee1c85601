import type { Decision } from "../../contract/agent-action.ts";
import type { AgentError } from "../../contract/agent-error.ts";
import { readReply } from "../stream/extract-json.ts";
import type { JsonStreamEnd } from "../stream/json-stream.ts";
import { readDecision } from "./read-decision.ts";
import type { DeclaredTool } from "./schema-hint.ts";

export type FoundDecision = {
  recovered: "none" | "extracted";
  warnings: string[];
} & ({ ok: true; decision: Decision } | { ok: false; error: AgentError });

/** What a whole reply decides: the object in it, whatever stands around it, checked by its structure. */
export function decisionIn(
  text: string,
  end: JsonStreamEnd,
  tools: readonly DeclaredTool[] = [],
): FoundDecision {
  const found = readReply(text, end);
  if (!found.ok) {
    const message = `the reply has no valid JSON object: ${found.problem}`;
    const error: AgentError = { code: "InvalidModelOutput", message, reason: found.code };
    return { ok: false, recovered: "none", warnings: [], error };
  }
  const { value, recovered, warnings } = found;
  const read = readDecision(value, tools);
  if (!read.ok)
    return { ok: false, recovered, warnings, error: { code: "InvalidModelOutput", message: read.problem } };
  return { ok: true, recovered, decision: read.decision, warnings: [...warnings, ...read.warnings] };
}
