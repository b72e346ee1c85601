import { didYouMean, nearestSpelling } from "../text/nearest.ts";

/** Puts what the compiler of JSON Schemas says about one into the words of its author. */
export function schemaProblemWords(message: string): string {
  const [, type] = /^type must be JSONType or JSONType\[\]: ([\s\S]*)$/.exec(message) ?? [];
  if (type !== undefined) {
    const strange = type.split(",").find((word) => !types.includes(word)) ?? type;
    if (strange === "[object Object]") return `type is an object; known: ${types.join(", ")}`;
    return `unknown type "${strange}"; ${didYouMean(strange, types)}`;
  }
  const [, keyword] = /^strict mode: unknown keyword: "([\s\S]*)"$/.exec(message) ?? [];
  if (keyword === "0") return "expected a schema, got text"; // its letters were taken for keywords
  if (keyword !== undefined) {
    const near = nearestSpelling(keyword, keywords);
    return `unknown keyword "${keyword}"${near === null ? "" : `; did you mean ${near}?`}`;
  }
  const [, location, wanted] = /^(\S{1,40}) value must be \[([^\]]{1,80})\]$/.exec(message) ?? [];
  if (location !== undefined && wanted !== undefined) return `${location} must be ${inWords(wanted)}`;
  const [, target] = /^can't resolve reference (\S{1,400}) from/.exec(message) ?? [];
  if (target !== undefined) return `$ref cannot be resolved: ${target}`;
  const [, format] = /^(unknown format "[^"]{1,80}")/.exec(message) ?? [];
  return format ?? message;
}

const types = ["array", "boolean", "integer", "null", "number", "object", "string"];

/** The ones that people write, and so misspell. */
const keywords =
  "additionalProperties allOf anyOf const default description enum examples exclusiveMaximum exclusiveMinimum format items maxItems maxLength maximum minItems minLength minimum multipleOf not oneOf pattern patternProperties properties required title type uniqueItems".split(
    " ",
  );

const kinds: Readonly<Record<string, string>> = {
  array: "a list",
  object: "an object",
  boolean: "true or false",
  number: "a number",
  string: "text",
};

function inWords(wanted: string): string {
  return wanted
    .split(",")
    .map((kind) => kinds[kind.replaceAll('"', "")] ?? kind)
    .join(", or ");
}
