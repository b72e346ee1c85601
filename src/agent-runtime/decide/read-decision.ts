import { actionTypes, Decision, longestDiagnostics } from "../../contract/agent-action.ts";
import type { AgentError } from "../../contract/agent-error.ts";
import type { Json, JsonObject, JsonSchema } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { jsonPath } from "../../shared/json/locations.ts";
import { type Problem, zodProblems } from "../../shared/json/zod-problem.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { readReply } from "../stream/extract-json.ts";
import type { JsonStreamEnd } from "../stream/json-stream.ts";
import { argumentSchemas, type DeclaredTool, replySchema } from "./schema-hint.ts";

type ReadDecision = { ok: true; decision: Decision; warnings: string[] } | { ok: false; problem: string };

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
    const problem = `$.diagnostics has ${pluralize(long, "character")} as JSON, and at most ${longestDiagnostics} are taken`;
    return { ok: false, problem };
  }
  const { action } = decision;
  if (action.type === "call_tool") {
    const schema = argumentSchemas.get(action.payload.tool) ?? findParameters(action.payload.tool, tools);
    action.payload.arguments = withoutNulls(action.payload.arguments, schema) as JsonObject;
  }
  return { ok: true, decision, warnings: warningsAbout(value) };
}

function findParameters(name: string, tools: readonly DeclaredTool[]) {
  return tools.find((tool) => tool.name === name)?.parameters ?? true;
}

const maxProblems = 3;

/** Short enough for a correction: the first few problems, each with its path. */
function problemIn(error: Parameters<typeof zodProblems>[0], value: Json): string {
  const problems = zodProblems(error, value).map((problem) => inWords(problem, value));
  return listed(problems, maxProblems, "; ");
}

function inWords({ message, jsonPath: path }: Problem, value: Json): string {
  if (path !== "$.action.type") return message;
  const type = isMap(value) && isMap(value.action) ? value.action.type : undefined;
  const found =
    type === undefined ? "is required and missing" : `may not be ${shownText(JSON.stringify(type))}`;
  return `${path} ${found}: it is one of ${actionTypes.join(", ")}`;
}

const known = Object.keys(Decision.shape);
const maxUnknown = 10;

function warningsAbout(value: Json): string[] {
  const warnings: string[] = [];
  const unknown = Object.keys(value as JsonObject).filter((key) => !known.includes(key));
  if (unknown.length > 0) {
    const paths = unknown.map((key) => shownText(jsonPath([key])));
    warnings.push(`not known and ignored: ${listed(paths, maxUnknown)}`);
  }
  return warnings;
}

export type FoundDecision = {
  recovered: "none" | "extracted";
  warnings: string[];
} & ({ ok: true; decision: Decision } | { ok: false; error: AgentError });

/** What a whole reply decides: the object in it, checked by its structure. Text around it is ignored. */
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

/** The value without nulls that mean "left out": providers that enforce a schema make the model write every member. */
function withoutNulls(value: Json, schema: JsonSchema): Json {
  if (!isMap(schema)) return value;
  const forms = schemaChoices(schema);
  if (forms !== null) {
    const meant = forms.find((form) => isMeant(value, form));
    return meant === undefined ? value : withoutNulls(value, meant);
  }
  if (Array.isArray(value))
    return isMap(schema.items) ? value.map((item) => withoutNulls(item, schema.items as JsonSchema)) : value;
  if (!isMap(value) || !isMap(schema.properties)) return value;
  const members: [string, Json][] = [];
  for (const [name, member] of Object.entries(value as JsonObject)) {
    const known = Object.hasOwn(schema.properties, name) ? (schema.properties[name] as JsonSchema) : true;
    if (member === null && !isRequired(schema, name) && !takesNull(known)) continue;
    members.push([name, withoutNulls(member, known)]);
  }
  return Object.fromEntries(members);
}

/** What a schema offers to choose from, choices among choices included; null where it is one thing. */
function schemaChoices(schema: Record<string, unknown>): JsonSchema[] | null {
  const forms = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(forms)) return null;
  return forms.flatMap((form) => (isMap(form) ? (schemaChoices(form) ?? form) : form));
}

/** Whether a value names itself as this form of several. */
function isMeant(value: Json, form: unknown): boolean {
  if (!isMap(value) || !isMap(form) || !isMap(form.properties)) return false;
  return Object.entries(form.properties).every(
    ([name, member]) => !isMap(member) || member.const === undefined || value[name] === member.const,
  );
}

function isRequired(schema: Record<string, unknown>, name: string): boolean {
  return Array.isArray(schema.required) && schema.required.includes(name);
}

/** In doubt yes: what is not plainly of another type may be null. */
function takesNull(schema: JsonSchema): boolean {
  if (!isMap(schema)) return true;
  const forms = schemaChoices(schema);
  if (forms !== null) return forms.some(takesNull);
  if (Array.isArray(schema.enum)) return schema.enum.includes(null);
  const { type } = schema;
  return type === undefined
    ? schema.const === undefined
    : type === "null" || (Array.isArray(type) && type.includes("null"));
}
