/** What a keyword of JSON Schema takes, in the words of the compiler of older drafts. */
const kinds = {
  schema: ["object", "boolean"],
  schemas: ["array"],
  map: ["object"],
  number: ["number"],
  text: ["string"],
  flag: ["boolean"],
  any: [],
} as const;

type Kind = keyof typeof kinds;

const words: Readonly<Record<Kind, string>> = {
  schema:
    "items additionalProperties propertyNames contains not if then else unevaluatedItems unevaluatedProperties contentSchema",
  schemas: "allOf anyOf oneOf prefixItems required enum",
  map: "properties patternProperties $defs definitions dependentSchemas dependentRequired dependencies $vocabulary",
  number:
    "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains",
  text: "$id $schema $ref $anchor $dynamicRef $dynamicAnchor $comment pattern format title description contentEncoding contentMediaType",
  flag: "uniqueItems deprecated readOnly writeOnly",
  any: "type const default examples",
};

const kindOfKeyword = new Map(
  (Object.keys(words) as Kind[]).flatMap((kind) =>
    words[kind].split(" ").map((word) => [word, kind] as const),
  ),
);
const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);

interface KeywordRules {
  isDraft07: boolean;
  format: ((name: string) => unknown) | undefined;
  pattern(source: string): RegExp;
}

/** Refuses one schema, without those inside it, if a keyword is misspelt or takes something else. */
export function checkKeywords(schema: Readonly<Record<string, unknown>>, rules: KeywordRules): void {
  for (const [keyword, value] of Object.entries(schema)) {
    const kind =
      kindOfKeyword.get(keyword) ?? (rules.isDraft07 && keyword === "additionalItems" ? "schema" : null);
    if (kind === null) throw new Error(`strict mode: unknown keyword: "${keyword}"`);
    const isTuple = rules.isDraft07 && keyword === "items" && Array.isArray(value);
    const allowed: readonly string[] = kinds[kind];
    if (!isTuple && allowed.length > 0 && !allowed.includes(kindOf(value)))
      throw new Error(`${keyword} value must be ${JSON.stringify(allowed)}`);
    if (keyword === "type") checkType(value);
    if (keyword === "pattern" && typeof value === "string") rules.pattern(value);
    if (keyword === "patternProperties")
      for (const source of Object.keys(Object(value))) rules.pattern(source);
    if (keyword === "format" && typeof value === "string" && rules.format?.(value) === null)
      throw new Error(`unknown format "${value}"`);
  }
}

function checkType(value: unknown): void {
  const all: readonly unknown[] = [value].flat();
  if (all.length === 0 || !all.every((one) => types.has(String(one))))
    throw new Error(`type must be JSONType or JSONType[]: ${all.map(String).join(",")}`);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
