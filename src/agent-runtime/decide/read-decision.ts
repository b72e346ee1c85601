import { actionTypes, Decision, longestDiagnostics } from "../../contract/agent-action.ts";
import { isMap } from "../../shared/json/is-map.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { jsonPath } from "../../shared/json/json-path.ts";
import { type Problem, zodProblems } from "../../shared/json/zod-problem.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { listed } from "../../shared/text/listed.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { argumentSchemas, type DeclaredTool, replySchema } from "./schema-hint.ts";
import { withoutNulls } from "./without-nulls.ts";

export type ReadDecision =
  | { ok: true; decision: Decision; warnings: string[] }
  | { ok: false; problem: string };

/** Whether a value is a decision by its structure. Whether it can be carried out is for the core to say. */
export function readDecision(value: Json, tools: readonly DeclaredTool[] = []): ReadDecision {
  let read = Decision.safeParse(value);
  if (!read.success) {
    const retried = Decision.safeParse(withoutNulls(value, replySchema));
    if (!retried.success) return { ok: false, problem: problemIn(retried.error, value) };
    read = retried;
  }
  const { data: decision } = read;
  const long = decision.diagnostics === null ? 0 : JSON.stringify(decision.diagnostics).length;
  if (long > longestDiagnostics) {
    const problem = `$.diagnostics has ${countOf(long, "character")} as JSON, and at most ${longestDiagnostics} are taken`;
    return { ok: false, problem };
  }
  const { action } = decision;
  if (action.type === "call_tool") {
    const schema = argumentSchemas.get(action.payload.tool) ?? parametersOf(action.payload.tool, tools);
    action.payload.arguments = withoutNulls(action.payload.arguments, schema) as JsonObject;
  }
  return { ok: true, decision, warnings: warningsAbout(value) };
}

function parametersOf(name: string, tools: readonly DeclaredTool[]) {
  return tools.find((tool) => tool.name === name)?.parameters ?? true;
}

const maxProblems = 3;

/** Short enough for a correction: the first few problems, each with its place. */
function problemIn(error: Parameters<typeof zodProblems>[0], value: Json): string {
  const problems = zodProblems(error, value).map((problem) => inWords(problem, value));
  return listed(problems, maxProblems, "; ");
}

function inWords({ message, jsonPath: place }: Problem, value: Json): string {
  if (place !== "$.action.type") return message;
  const type = isMap(value) && isMap(value.action) ? value.action.type : undefined;
  const found =
    type === undefined ? "is required and missing" : `may not be ${shownText(JSON.stringify(type))}`;
  return `${place} ${found}: it is one of ${actionTypes.join(", ")}`;
}

const known = Object.keys(Decision.shape);
const maxUnknown = 10;

function warningsAbout(value: Json): string[] {
  const warnings: string[] = [];
  const unknown = Object.keys(value as JsonObject).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const places = unknown.map((key) => shownText(jsonPath([key])));
    warnings.push(`not known and ignored: ${listed(places, maxUnknown)}`);
  }
  return warnings;
}
