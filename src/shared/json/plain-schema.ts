import { isMap } from "./json-values.ts";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];
const words = ["title", "description", "$comment", "default", "examples"];
const numbers = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const counts = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];

/**
 * Whether a JSON Schema is valid beyond doubt, because it says only the plainest things. Most schemas of skills do,
 * and compiling thousands of them to find that out takes seconds. False means: compile it to know.
 */
export function isPlainSchema(schema: unknown): boolean {
  if (typeof schema === "boolean") return true;
  return isMap(schema) && Object.entries(schema).every(([keyword, value]) => isPlain(keyword, value));
}

function isPlain(keyword: string, value: unknown): boolean {
  if (words.includes(keyword)) return true;
  if (numbers.includes(keyword)) return typeof value === "number";
  if (counts.includes(keyword)) return Number.isInteger(value) && (value as number) >= 0;
  switch (keyword) {
    case "type":
      return types.includes(value as string) || (isList(value) && value.every((one) => types.includes(one)));
    case "properties":
      return isMap(value) && Object.values(value).every(isPlainSchema);
    case "required":
      return isList(value) && value.every((name) => typeof name === "string");
    case "items":
    case "additionalProperties":
      return isPlainSchema(value);
    default:
      return false;
  }
}

function isList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && new Set(value).size === value.length;
}
