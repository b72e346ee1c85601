import type { Json, JsonObject, JsonSchema } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { jsonPointer } from "../../shared/json/locations.ts";

/** Arguments that a tool should not be given. */
export interface BadInput {
  /** What is wrong with them, following the pointer: `is missing`, `is true`. */
  fault: string;
  arguments: JsonObject;
}

/** Inputs that should be refused because of one property. */
export interface BadProperty {
  /** JSON pointer. */
  pointer: string;
  inputs: readonly BadInput[];
  /** Whether all of them must be refused; else the allowed types are unknown, and one is enough. */
  isEach: boolean;
}

/** Makes bad arguments from good ones: each required property left out, each property given values of the wrong type. */
export function* badInputs(parameters: JsonSchema, good: JsonObject): Generator<BadProperty> {
  if (!isMap(parameters)) return;
  const { required, properties } = parameters as JsonObject;
  for (const name of new Set(Array.isArray(required) ? required.map(String) : [])) {
    const { [name]: _, ...rest } = good;
    yield { pointer: jsonPointer([name]), inputs: [{ fault: "is missing", arguments: rest }], isEach: true };
  }
  for (const [name, schema] of isMap(properties) ? Object.entries(properties) : [])
    yield* wrongTypes(name, schema as JsonSchema, good);
}

type JsonType = "null" | "boolean" | "integer" | "number" | "string" | "array" | "object";

const wrongValues: Readonly<Record<JsonType, Json>> = {
  null: null,
  boolean: true,
  integer: 7,
  number: 1.5,
  string: "hello",
  array: ["hello"],
  object: { hello: 1 },
};
const allTypes = Object.keys(wrongValues) as JsonType[];

/** Empty for a property that accepts any value. */
function wrongTypes(name: string, schema: JsonSchema, good: JsonObject): BadProperty[] {
  if (!isMap(schema)) return [];
  const meant = meantTypes(schema as JsonObject);
  const wrong = allTypes.filter((type) => meant === null || !isAmong(type, meant));
  if (wrong.length === 0) return [];
  const inputs = wrong.map((type) => ({
    fault: `is ${JSON.stringify(wrongValues[type])}`,
    // `fromEntries` takes `__proto__` for a name like any other.
    arguments: Object.fromEntries([...Object.entries(good), [name, wrongValues[type]]]) as JsonObject,
  }));
  return [{ pointer: jsonPointer([name]), inputs, isEach: meant !== null }];
}

/** Every integer is a number. */
function isAmong(type: JsonType, meant: ReadonlySet<string>): boolean {
  return meant.has(type) || (type === "integer" && meant.has("number"));
}

/** Keywords that restrict values of one type only. */
const keywordsByType: Readonly<Partial<Record<JsonType, readonly string[]>>> = {
  string: ["minLength", "maxLength", "pattern", "format"],
  number: ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  array: ["items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"],
  object: ["properties", "required", "additionalProperties", "patternProperties", "minProperties"],
};

/** Keywords that refer to other schemas. */
const combining = ["$ref", "$dynamicRef", "anyOf", "oneOf", "allOf", "if", "not"];

/** The types that a schema means; null where it does not say. */
function meantTypes(schema: JsonObject): ReadonlySet<string> | null {
  if (schema.type !== undefined) return new Set([schema.type].flat().map(String));
  const values = schema.const !== undefined ? [schema.const] : schema.enum;
  if (Array.isArray(values)) return new Set(values.map(jsonTypeName));
  if (combining.some((keyword) => Object.hasOwn(schema, keyword))) return null;
  const meant = Object.entries(keywordsByType).filter(([, keywords]) =>
    keywords.some((keyword) => Object.hasOwn(schema, keyword)),
  );
  return meant.length === 0 ? null : new Set(meant.map(([type]) => type));
}

function jsonTypeName(value: Json): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}
