import type { UnitSkill } from "../../contract/unit-skill.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { compileSchema } from "../../shared/json/json-schema.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { checkedFinding, finding, firstFew } from "./finding.ts";
import { listEntries, readJson } from "./read-inside.ts";

/** Whether both schemas compile and name their properties, and every JSON file parses. */
export async function inspectSchemas(skill: UnitSkill): Promise<string[]> {
  return [
    finding("input schema", compileProblem(skill.inputSchema)),
    finding("output schema", compileProblem(skill.outputSchema)),
    finding("input types", typesProblem(skill.inputSchema)),
    finding("required names", requiredProblem(skill)),
    await checkedFinding("JSON files", () => jsonProblem(skill)),
  ];
}

function compileProblem(schema: JsonSchema): string | null {
  const compiled = compileSchema(schema);
  return compiled.ok ? null : `does not compile (${compiled.problem})`;
}

const typeKeywords = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];

function typesProblem(schema: JsonSchema): string | null {
  if (isMap(schema) && isMap(schema.properties)) {
    const untyped = Object.entries(schema.properties).filter(([, property]) => !isTyped(property));
    const names = firstFew(untyped.map(([name]) => name));
    return names === null ? null : `no type for ${names}`;
  }
  return isTyped(schema) ? null : "inputSchema does not describe the input";
}

function isTyped(schema: unknown): boolean {
  return isMap(schema) && typeKeywords.some((keyword) => Object.hasOwn(schema, keyword));
}

function requiredProblem({ inputSchema, outputSchema }: UnitSkill): string | null {
  const unknown = firstFew([...unknownRequired(inputSchema), ...unknownRequired(outputSchema)]);
  return unknown === null ? null : `not in properties: ${unknown}`;
}

/** Names in `required` that `properties` beside it does not have; at the root `properties` must be there. */
function unknownRequired(schema: unknown, isRoot = true): string[] {
  if (!isMap(schema)) return [];
  const properties = isMap(schema.properties) ? schema.properties : isRoot ? {} : null;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const names = required.map((name) => (typeof name === "string" ? name : JSON.stringify(name)));
  const unknown = names.filter((name) => properties !== null && !Object.hasOwn(properties, name));
  const nested = [...Object.values(properties ?? {}), schema.items];
  return [...unknown, ...nested.flatMap((part) => unknownRequired(part, false))];
}

function jsonProblem(skill: UnitSkill): string | null {
  const broken: string[] = [];
  for (const { kind, path, absolute } of listEntries(skill)) {
    if (kind !== "file" || !/\.json$/i.test(path)) continue;
    const read = readJson(absolute);
    if (!read.ok) broken.push(`${path} (${read.problem})`);
  }
  return broken.length === 0 ? null : `cannot read ${firstFew(broken.sort())}`;
}
