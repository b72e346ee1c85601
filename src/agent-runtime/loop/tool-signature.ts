import type { JsonSchema } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { quotedText } from "./quoted-text.ts";

const maxWordLength = 64;
const maxParameters = 40;

/** `risk_detector(doc_text:str, max_results:int=5)`: what is required first, then by name. */
export function toolSignature(name: string, parameters: JsonSchema | null): string {
  if (!isMap(parameters) || !isMap(parameters.properties)) return `${shownName(name)}(...)`;
  const required = new Set(Array.isArray(parameters.required) ? parameters.required : []);
  const shown = Object.entries(parameters.properties)
    .map(([key, schema]) => ({ key, schema, isRequired: required.has(key) }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired) || inOrder(a.key, b.key))
    .map(({ key, schema, isRequired }) => `${shownName(key)}${parameterWords(schema, isRequired)}`);
  const more = shown.length > maxParameters ? ["..."] : [];
  return `${shownName(name)}(${[...shown.slice(0, maxParameters), ...more].join(", ")})`;
}

/** A name as it is, or quoted where it holds what no name should. */
export function shownName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : quotedText(name, maxWordLength);
}

const kindNames: ReadonlyMap<unknown, string> = new Map([
  ["string", "str"],
  ["integer", "int"],
  ["number", "float"],
  ["boolean", "bool"],
  ["array", "list"],
  ["object", "dict"],
  ["null", "null"],
]);

/** `:int` where it is required, `:int=5` where it has a default, `?:int` where it is optional. */
function parameterWords(schema: unknown, isRequired: boolean): string {
  const { type, enum: choices, default: fallback }: Record<string, unknown> = isMap(schema) ? schema : {};
  const kind = Array.isArray(choices) ? choices.slice(0, 20).map(shownValue).join("|") : kindName(type);
  if (fallback !== undefined) return `:${kind}=${shownValue(fallback)}`;
  return isRequired ? `:${kind}` : `?:${kind}`;
}

function kindName(type: unknown): string {
  const kinds = Array.isArray(type) ? type.slice(0, kindNames.size) : [type];
  return kinds.map((kind) => kindNames.get(kind) ?? "any").join("|");
}

function shownValue(value: unknown): string {
  return typeof value === "string"
    ? quotedText(value, maxWordLength)
    : quotedText(JSON.stringify(value), maxWordLength).slice(1, -1);
}
