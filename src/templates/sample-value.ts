import type { Json, JsonObject, JsonSchema } from "../contract/json.ts";

/** A value that fits a schema as far as that can be told without trying: somewhere to start from. */
export function sampleValue(schema: JsonSchema): Json {
  return sampleOf(schema, typeof schema === "boolean" ? {} : schema, 0);
}

const deepest = 12;

const textOfFormat: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  duration: "PT1H",
  email: "someone@example.com",
  uri: "https://example.com",
  "uri-reference": "https://example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uuid: "123e4567-e89b-42d3-a456-426614174000",
  byte: "aGVsbG8=",
};

function sampleOf(schema: Json | undefined, root: JsonObject, depth: number): Json {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema) || depth > deepest) return null;
  const given = givenValue(schema);
  if (given !== undefined) return given;
  if (typeof schema.$ref === "string") return sampleOf(definition(schema.$ref, root), root, depth + 1);
  if (Array.isArray(schema.allOf)) return sampleOf(merged(schema, root), root, depth + 1);
  const [choice] = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (choice !== undefined && !("type" in schema)) return sampleOf(choice, root, depth + 1);
  return sampleOfType(schema, root, depth);
}

function givenValue({ const: only, default: usual, examples, enum: choices }: JsonObject): Json | undefined {
  if (only !== undefined) return only;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  return usual ?? (Array.isArray(choices) ? choices[0] : undefined);
}

function sampleOfType(schema: JsonObject, root: JsonObject, depth: number): Json {
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(schema, root, depth);
    case "array":
      return Array.from({ length: Math.min(numberOr(schema.minItems, 0), 20) }, () =>
        sampleOf(schema.items, root, depth + 1),
      );
    case "string":
      return sampleText(schema);
    case "integer":
      return Math.ceil(sampleNumber(schema));
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function typeOf({ type, properties }: JsonObject): Json | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  return type ?? (properties === undefined ? undefined : "object");
}

/** What must be there; at the top, where nothing must, everything. */
function sampleObject({ properties, required }: JsonObject, root: JsonObject, depth: number): JsonObject {
  const all = typeof properties === "object" && properties !== null ? (properties as JsonObject) : {};
  const needed = Array.isArray(required) ? required.map(String) : [];
  const names = needed.length > 0 || depth > 0 ? needed : Object.keys(all);
  return Object.fromEntries(names.map((name) => [name, name in all ? sampleOf(all[name], root, depth + 1) : "hello"]));
}

function sampleText({ format, minLength, maxLength }: JsonObject): string {
  const text = textOfFormat[String(format)] ?? "hello";
  if (text !== "hello") return text;
  return text.padEnd(Math.min(numberOr(minLength, 0), 1000), "o").slice(0, numberOr(maxLength, 1000));
}

function sampleNumber({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonObject): number {
  const step = numberOr(multipleOf, 1);
  const low = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity) + step);
  const high = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity) - step);
  const wanted = Math.min(Math.max(1, low), high);
  return Math.ceil(wanted / step) * step;
}

/** The parts of `allOf` as one schema: members of objects add up. */
function merged({ allOf, ...rest }: JsonObject, root: JsonObject): JsonObject {
  const whole: JsonObject = {};
  const properties: JsonObject = {};
  const required: Json[] = [];
  for (const part of [...(allOf as Json[]), rest]) {
    const schema = resolved(part, root, 0);
    Object.assign(whole, schema);
    if (typeof schema.properties === "object") Object.assign(properties, schema.properties);
    if (Array.isArray(schema.required)) required.push(...schema.required);
  }
  if (Object.keys(properties).length > 0) Object.assign(whole, { properties });
  return required.length > 0 ? { ...whole, required } : whole;
}

function resolved(schema: Json, root: JsonObject, depth: number): JsonObject {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema) || depth > deepest) return {};
  if (typeof schema.$ref === "string") return resolved(definition(schema.$ref, root), root, depth + 1);
  return Array.isArray(schema.allOf) ? mergedDeep(schema, root, depth) : schema;
}

function mergedDeep(schema: JsonObject, root: JsonObject, depth: number): JsonObject {
  return depth > deepest ? {} : merged(schema, root);
}

/** `#/definitions/X` or `#/$defs/X`: the only references our own schemas have. */
function definition(reference: string, root: JsonObject): Json {
  const [, list = "", name = ""] = reference.split("/");
  return (root[list] as JsonObject | undefined)?.[name] ?? null;
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
