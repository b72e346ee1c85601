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
      return `${signature(name, parameters)} — ${quotedText(description, longestAbout)} @${skill}`;
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
    .map(({ key, schema, isRequired }) => `${word(key)}${isRequired ? "" : "?"}:${kindAndDefault(schema)}`);
  const more = shown.length > mostParameters ? ["..."] : [];
  return `${word(name)}(${[...shown.slice(0, mostParameters), ...more].join(", ")})`;
}

const kindNames: Readonly<Record<string, string>> = {
  string: "str",
  integer: "int",
  number: "float",
  boolean: "bool",
  array: "list",
  object: "dict",
};

function kindAndDefault(schema: unknown): string {
  if (!isMap(schema)) return "any";
  const { type, enum: choices, default: usual } = schema;
  const kind = Array.isArray(choices)
    ? choices.slice(0, 20).map(shownValue).join("|")
    : ((typeof type === "string" ? kindNames[type] : undefined) ?? "any");
  return usual === undefined ? kind : `${kind}=${shownValue(usual)}`;
}

function shownValue(value: unknown): string {
  return typeof value === "string"
    ? quotedText(value, longestWord)
    : quotedText(JSON.stringify(value), longestWord).slice(1, -1);
}

/** A name as it is, or quoted where it holds what no name should. */
function word(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(name) ? name : quotedText(name, longestWord);
}
