import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";

/** Refuses unknown keys wherever the loader reports them: in every map but open ones and all that lies inside those. */
export function closeObjects(schema: JsonObject): void {
  if (schema.properties !== undefined) {
    if (schema.additionalProperties !== undefined && schema.additionalProperties !== false) return;
    schema.additionalProperties = false;
  }
  for (const below of partsOf(schema)) closeObjects(below);
}

/** Lets a file name its own schema, as editors want it. */
export function allowSchemaKey(schema: JsonObject): void {
  for (const { properties } of alternatives(schema))
    if (isMap(properties)) properties.$schema = { type: "string" };
}

/** Describes paths such as `$.tasks[].id`. A path that does not exist is a mistake of ours. */
export function describeKeys(schema: JsonObject, words: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(words)) {
    const found = schemasAt([schema], path.replaceAll("[]", ".[]").split(".").slice(1));
    if (found.length === 0) throw new Error(`the schema has no path ${path}`);
    for (const one of found) one.description = text;
  }
}

function schemasAt(schemas: readonly JsonObject[], steps: readonly string[]): JsonObject[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [...schemas];
  const below = schemas
    .flatMap(alternatives)
    .map((schema) => (step === "[]" ? schema.items : (schema.properties as JsonObject | undefined)?.[step]))
    .filter((part) => isMap(part));
  return below.length === 0 ? [] : schemasAt(below, rest);
}

/** A schema and everything it could be instead. */
function alternatives(schema: JsonObject): JsonObject[] {
  const others = [schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => (list ?? []) as JsonObject[]);
  return [schema, ...others.flatMap(alternatives)];
}

function partsOf(schema: JsonObject): JsonObject[] {
  const { properties, items, additionalProperties } = schema;
  return [
    ...Object.values((properties ?? {}) as JsonObject),
    items,
    additionalProperties,
    ...alternatives(schema).slice(1),
  ].filter((part) => isMap(part));
}
