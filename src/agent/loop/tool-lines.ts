import { inOrder } from "../../base/in-order.ts";
import { isMap } from "../../base/is-map.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { JsonSchema } from "../../contract/json.ts";
import { quotedText } from "./quoted-text.ts";

/** How a model is told of the tools of the selected skills that it may call now: one line each, by skill and name. */
export function toolLines(allowed: ReadonlySet<string>, selected: readonly AgentSkill[]): string[] {
  return selected
    .flatMap((skill) => skill.tools.map((tool) => ({ ...tool, skill: skill.name })))
    .filter(({ name }) => allowed.has(name))
    .sort((a, b) => inOrder(a.skill, b.skill) || inOrder(a.name, b.name))
    .map(({ name, description, parameters, skill }) => {
      return `${signature(name, parameters)} — ${quotedText(description, longestAbout)} @${word(skill)}`;
    });
}

const longestAbout = 300;
const longestWord = 64;
const mostParameters = 40;

/** `risk_detector(doc_text:str, max_results:int=5)`: what is required first, then by name. */
function signature(name: string, parameters: JsonSchema | null): string {
  if (!isMap(parameters) || !isMap(parameters.properties)) return `${word(name)}(...)`;
  const required = new Set(Array.isArray(parameters.required) ? parameters.required : []);
  const shown = Object.entries(parameters.properties)
    .map(([key, schema]) => ({ key, schema, isRequired: required.has(key) }))
    .sort((a, b) => Number(b.isRequired) - Number(a.isRequired) || inOrder(a.key, b.key))
    .map(({ key, schema, isRequired }) => `${word(key)}${parameterWords(schema, isRequired)}`);
  const more = shown.length > mostParameters ? ["..."] : [];
  return `${word(name)}(${[...shown.slice(0, mostParameters), ...more].join(", ")})`;
}

const kindNames: ReadonlyMap<unknown, string> = new Map([
  ["string", "str"],
  ["integer", "int"],
  ["number", "float"],
  ["boolean", "bool"],
  ["array", "list"],
  ["object", "dict"],
]);

/** `:int` where it must be there, `:int=5` where this stands for it, `?:int` where it may be missing. */
function parameterWords(schema: unknown, isRequired: boolean): string {
  const { type, enum: choices, default: usual }: Record<string, unknown> = isMap(schema) ? schema : {};
  const kind = Array.isArray(choices)
    ? choices.slice(0, 20).map(shownValue).join("|")
    : (kindNames.get(type) ?? "any");
  if (usual !== undefined) return `:${kind}=${shownValue(usual)}`;
  return isRequired ? `:${kind}` : `?:${kind}`;
}

function shownValue(value: unknown): string {
  return typeof value === "string"
    ? quotedText(value, longestWord)
    : quotedText(JSON.stringify(value), longestWord).slice(1, -1);
}

/** A name as it is, or quoted where it holds what no name should. */
function word(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : quotedText(name, longestWord);
}
