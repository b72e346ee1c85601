import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";

/** A value that fits a schema as far as that is known without trying: somewhere to start from. */
export function exampleValue(
  schema: JsonSchema,
  { minListItems = 0, isExact = false }: ExampleOptions = {},
): Json {
  if (typeof schema === "boolean") return null;
  return exampleOf(schema, { definitions: schema, minListItems, isExact, stepsLeft: 1000 }, 0);
}

interface ExampleOptions {
  /** How many items a list has that may have none. */
  minListItems?: number;
  /** Whether what is not required is left out at the top as well. */
  isExact?: boolean;
}

interface ExampleContext {
  /** The schema that holds the definitions. */
  definitions: JsonObject;
  minListItems: number;
  isExact: boolean;
  /** A schema may lead back to itself in many ways: at some point the rest is left out. */
  stepsLeft: number;
}

const maxDepth = 12;

const formatExamples: Readonly<Record<string, string>> = {
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

function exampleOf(schema: Json | undefined, context: ExampleContext, depth: number): Json {
  if (!isMap(schema) || depth > maxDepth || context.stepsLeft-- <= 0) return null;
  const given = givenValue(schema);
  if (given !== undefined) return given;
  if (typeof schema.$ref === "string") return exampleOf(definition(schema.$ref, context), context, depth + 1);
  if (Array.isArray(schema.allOf)) return exampleOf(mergeAllOf(schema, context, depth), context, depth + 1);
  const [choice] = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (choice !== undefined && !("type" in schema)) return exampleOf(choice, context, depth + 1);
  return exampleOfType(schema, context, depth);
}

function givenValue({
  const: only,
  default: fallback,
  examples,
  enum: choices,
}: JsonObject): Json | undefined {
  if (only !== undefined) return only;
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  return fallback ?? (Array.isArray(choices) ? choices[0] : undefined);
}

function exampleOfType(schema: JsonObject, context: ExampleContext, depth: number): Json {
  switch (firstType(schema)) {
    case "object":
      return exampleObject(schema, context, depth);
    case "array":
      return exampleList(schema, context, depth);
    case "string":
      return exampleText(schema);
    case "integer":
      return Math.ceil(exampleNumber(schema));
    case "number":
      return exampleNumber(schema);
    case "boolean":
      return true;
    default:
      return null;
  }
}

function firstType({ type, properties }: JsonObject): Json | undefined {
  if (Array.isArray(type)) return type.find((one) => one !== "null");
  return type ?? (properties === undefined ? undefined : "object");
}

function exampleList(
  { items, minItems, maxItems }: JsonObject,
  context: ExampleContext,
  depth: number,
): Json[] {
  const max = Math.min(numberOr(maxItems, 20), 20);
  const length = Math.min(Math.max(numberOr(minItems, 0), context.minListItems), max);
  const item = exampleOf(items, context, depth + 1);
  // Nobody knows what belongs into such a list; `null` hardly ever does.
  return item === null && minItems === undefined ? [] : Array.from({ length }, () => structuredClone(item));
}

/** What must be there; at the top, where nothing must, everything. */
function exampleObject(
  { properties, required }: JsonObject,
  context: ExampleContext,
  depth: number,
): JsonObject {
  const isWhole = depth === 0 && !context.isExact;
  const all = isMap(properties) ? properties : {};
  const needed = Array.isArray(required) ? required.map(String) : [];
  const names = needed.length > 0 || !isWhole ? needed : Object.keys(all);
  return Object.fromEntries(
    names.map((name) => [
      name,
      Object.hasOwn(all, name) ? exampleOf(all[name], context, depth + 1) : "hello",
    ]),
  );
}

function exampleText({ format, minLength, maxLength }: JsonObject): string {
  const text = formatExamples[String(format)] ?? "hello";
  if (text !== "hello") return text;
  return text.padEnd(Math.min(numberOr(minLength, 0), 1000), "o").slice(0, numberOr(maxLength, 1000));
}

function exampleNumber({
  minimum,
  maximum,
  exclusiveMinimum,
  exclusiveMaximum,
  multipleOf,
}: JsonObject): number {
  const step = numberOr(multipleOf, 1);
  const low = Math.max(numberOr(minimum, -Infinity), numberOr(exclusiveMinimum, -Infinity) + step);
  const high = Math.min(numberOr(maximum, Infinity), numberOr(exclusiveMaximum, Infinity) - step);
  const wanted = Math.min(Math.max(1, low), high);
  return Math.ceil(wanted / step) * step;
}

/** The parts of `allOf` as one schema: members of objects add up. */
function mergeAllOf({ allOf, ...rest }: JsonObject, context: ExampleContext, depth: number): JsonObject {
  const whole: JsonObject = {};
  const properties: JsonObject = {};
  const required: Json[] = [];
  for (const part of [...(allOf as Json[]), rest]) {
    const schema = resolveSchema(part, context, depth + 1);
    Object.assign(whole, schema);
    if (isMap(schema.properties)) Object.assign(properties, schema.properties);
    if (Array.isArray(schema.required)) required.push(...schema.required);
  }
  if (Object.keys(properties).length > 0) whole.properties = properties;
  if (required.length > 0) whole.required = required;
  return whole;
}

/** A part without references and `allOf` at its top. */
function resolveSchema(schema: Json, context: ExampleContext, depth: number): JsonObject {
  if (!isMap(schema) || depth > maxDepth || context.stepsLeft-- <= 0) return {};
  if (typeof schema.$ref === "string")
    return resolveSchema(definition(schema.$ref, context), context, depth + 1);
  return Array.isArray(schema.allOf) ? mergeAllOf(schema, context, depth) : schema;
}

/** `#/definitions/X` or `#/$defs/X`: the only references our own schemas have. */
function definition(reference: string, { definitions }: ExampleContext): Json {
  const [, list = "", name = ""] = reference.split("/");
  return (definitions[list] as JsonObject | undefined)?.[name] ?? null;
}

function numberOr(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
