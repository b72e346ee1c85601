import type { Json, JsonObject, JsonSchema } from "../shared/json/json.ts";
import { isMap } from "../shared/json/json-values.ts";
import type { OpenapiDocument } from "./openapi-document.ts";

/** Who reads a value: what is `readOnly` is not required of a request, what is `writeOnly` not of an answer. */
export type Direction = "request" | "answer";

/**
 * A schema of an OpenAPI file as self-contained JSON Schema: references written out, those that lead back to
 * themselves as definitions, and what only OpenAPI knows translated or left out.
 */
export function plainSchema(document: OpenapiDocument, schema: Json, direction: Direction): JsonSchema {
  const converter = new Converter(document, direction);
  const plain = converter.convert(schema, [], 0);
  const definitions = converter.definitions();
  if (typeof plain === "boolean") return plain;
  const draft = document.version === "3.1" ? { $schema: "https://json-schema.org/draft/2020-12/schema" } : {};
  const isOpen = Object.keys(plain).length === 0;
  return isOpen
    ? {}
    : { ...draft, ...plain, ...(definitions !== null && { [converter.definitionsKey]: definitions }) };
}

// Which keywords are kept, by what their value is. What is not here is for people or for OpenAPI tools only.
const plainKeywords = new Set(
  (
    "title description default examples deprecated readOnly writeOnly type enum const required minimum maximum " +
    "exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems uniqueItems " +
    "minProperties maxProperties minContains maxContains dependentRequired"
  ).split(" "),
);
const schemaKeywords = new Set(
  (
    "additionalProperties items not contains propertyNames if then else " +
    "unevaluatedItems unevaluatedProperties"
  ).split(" "),
);
const listKeywords = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const mapKeywords = new Set(["properties", "patternProperties", "dependentSchemas"]);
const sinceDraft2019 = new Set(
  (
    "prefixItems unevaluatedItems unevaluatedProperties dependentRequired dependentSchemas " +
    "minContains maxContains"
  ).split(" "),
);
const annotations = new Set(["title", "description", "default", "examples", "deprecated", "summary"]);
const knownFormats = new Set(
  (
    "date time date-time duration uri uri-reference uri-template email hostname ipv4 ipv6 regex uuid json-pointer " +
    "relative-json-pointer byte int32 int64 float double password binary"
  ).split(" "),
);
const longestPattern = 1000;
// Beyond these a reference becomes a definition instead of being written out: a file may refer a thousandfold.
const maxWrittenOut = 1000;
const deepestWrittenOut = 40;

class Converter {
  readonly #document: OpenapiDocument;
  readonly #direction: Direction;
  readonly definitionsKey: "definitions" | "$defs";
  /** Reference → the name of its definition. */
  readonly #names = new Map<string, string>();
  #converted = 0;

  constructor(document: OpenapiDocument, direction: Direction) {
    this.#document = document;
    this.#direction = direction;
    this.definitionsKey = document.version === "3.1" ? "$defs" : "definitions";
  }

  /** Everything that became a definition, and what that needs in turn. */
  definitions(): JsonObject | null {
    const definitions: [string, Json][] = [];
    // The map grows while it is walked.
    for (const [reference, name] of this.#names)
      definitions.push([name, this.convert(this.#document.at(reference), [reference], 3)]);
    return definitions.length === 0 ? null : Object.fromEntries(definitions);
  }

  convert(schema: Json, within: readonly string[], depth: number): JsonObject | boolean {
    this.#converted++;
    if (typeof schema === "boolean") return schema;
    if (!isMap(schema)) throw this.#document.refusal("has a schema that is not a map");
    if (typeof schema.$ref === "string") return this.#reference(schema.$ref, schema, within, depth);
    const plain: JsonObject = {};
    for (const [keyword, value] of Object.entries(schema)) this.#keep(plain, keyword, value, within, depth);
    if (Array.isArray(plain.required)) this.#dropOneSided(plain);
    return this.#document.version === "3.0" ? inNewWords(schema, plain) : plain;
  }

  #keep(plain: JsonObject, keyword: string, value: Json, within: readonly string[], depth: number): void {
    const convert = (part: Json) => this.convert(part, within, depth + 1);
    if (this.#document.version === "3.0" && sinceDraft2019.has(keyword)) return;
    if (plainKeywords.has(keyword)) plain[keyword] = value;
    else if (schemaKeywords.has(keyword)) plain[keyword] = convert(value);
    else if (listKeywords.has(keyword) && Array.isArray(value)) plain[keyword] = value.map(convert);
    else if (mapKeywords.has(keyword) && isMap(value))
      plain[keyword] = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, convert(part)]));
    else if (keyword === "example") plain.examples ??= [value];
    else if (keyword === "format" && knownFormats.has(String(value))) plain.format = value;
    else if (keyword === "pattern" && isPattern(value)) plain.pattern = value;
  }

  /** A property that is only for the other direction is not required in this one. */
  #dropOneSided(plain: JsonObject): void {
    const properties = isMap(plain.properties) ? plain.properties : {};
    const flag = this.#direction === "request" ? "readOnly" : "writeOnly";
    const required = (plain.required as Json[]).filter((name) => {
      const property = properties[String(name)];
      return !(isMap(property) && property[flag] === true);
    });
    if (required.length === 0) delete plain.required;
    else plain.required = required;
  }

  #reference(
    reference: string,
    schema: JsonObject,
    within: readonly string[],
    depth: number,
  ): JsonObject | boolean {
    this.#document.follow(schema); // refuses references in a ring, which no value could ever be checked against
    const mayWriteOut =
      !within.includes(reference) &&
      !this.#names.has(reference) &&
      depth < deepestWrittenOut &&
      this.#converted < maxWrittenOut;
    const target = mayWriteOut
      ? this.convert(this.#document.at(reference), [...within, reference], depth)
      : { $ref: `#/${this.definitionsKey}/${this.#nameOf(reference)}` };
    return this.#document.version === "3.1" ? this.#withSiblings(target, schema, within, depth) : target;
  }

  /** Since 3.1 the siblings of a reference count too. */
  #withSiblings(
    target: JsonObject | boolean,
    { $ref: _, ...siblings }: JsonObject,
    within: readonly string[],
    depth: number,
  ): JsonObject | boolean {
    const more = this.convert(siblings, within, depth + 1) as JsonObject;
    const keywords = Object.keys(more);
    if (keywords.length === 0) return target;
    const isNote = keywords.every((keyword) => annotations.has(keyword));
    return isNote && typeof target === "object" && !("$ref" in target)
      ? { ...target, ...more }
      : { ...more, allOf: [target, ...(Array.isArray(more.allOf) ? more.allOf : [])] };
  }

  #nameOf(reference: string): string {
    const known = this.#names.get(reference);
    if (known !== undefined) return known;
    const word = (reference.split("/").at(-1) ?? "").replace(/[^\w-]/g, "_") || "schema";
    const taken = new Set(this.#names.values());
    let name = word;
    for (let n = 2; taken.has(name); n++) name = `${word}_${n}`;
    this.#names.set(reference, name);
    return name;
  }
}

function isPattern(value: Json): boolean {
  if (typeof value !== "string" || value.length > longestPattern) return false;
  try {
    new RegExp(value, "u");
    return true;
  } catch {
    return false;
  }
}

/** What OpenAPI 3.0 says in its own way: `nullable`, and bounds that are excluded by a flag. */
function inNewWords(schema: JsonObject, plain: JsonObject): JsonObject {
  excludeBound(plain, "minimum", "exclusiveMinimum");
  excludeBound(plain, "maximum", "exclusiveMaximum");
  if (schema.nullable !== true) return plain;
  if (Array.isArray(plain.enum) && !plain.enum.includes(null)) plain.enum = [...plain.enum, null];
  if (typeof plain.type === "string") return { ...plain, type: [plain.type, "null"] };
  if (!["allOf", "anyOf", "oneOf"].some((keyword) => keyword in plain)) return plain;
  return { anyOf: [plain, { type: "null" }] };
}

function excludeBound(plain: JsonObject, bound: "minimum" | "maximum", flag: string): void {
  if (typeof plain[flag] !== "boolean") return;
  const isExcluded = plain[flag] === true && typeof plain[bound] === "number";
  delete plain[flag];
  if (!isExcluded) return;
  plain[flag] = plain[bound] as number;
  delete plain[bound];
}
