import { countValues, isMap } from "./json-values.ts";
import { isPlainSchema } from "./plain-schema.ts";

export interface SchemaFault {
  /** The path from the schema to the part at fault, as far as it is known. */
  steps: readonly PropertyKey[];
  reason: string;
}

/** What keeps a JSON Schema from compiling, and where; null where nothing does. Plain schemas are known to without being compiled. */
export async function schemaFault(schema: unknown): Promise<SchemaFault | null> {
  if (isPlainSchema(withoutDraft(schema))) return null;
  if (countValues(schema, maxValues) > maxValues)
    return { steps: [], reason: "more than 5,000 values, which is too much to compile" };
  const { compileSchema } = await import("./json-schema.ts");
  // A part is of the draft that the whole names.
  const draft = isMap(schema) && "$schema" in schema ? { $schema: schema.$schema } : {};
  const schemaProblem = (part: unknown): string | null => {
    const compiled = compileSchema(isMap(part) ? { ...draft, ...part } : part);
    return compiled.ok ? null : compiled.problem;
  };
  const reason = schemaProblem(schema);
  return reason === null ? null : { steps: locateProblem(schema, reason, schemaProblem), reason };
}

const draftName = /^https?:\/\/json-schema\.org\/draft(?:-07|\/2020-12)\/schema#?$/;

/** Plain schemas are the same in every draft. */
function withoutDraft(schema: unknown): unknown {
  if (!isMap(schema) || typeof schema.$schema !== "string" || !draftName.test(schema.$schema)) return schema;
  const { $schema: _, ...body } = schema;
  return body;
}

/** Compiling takes a millisecond for every few values of a schema, and with many of them more. */
const maxValues = 5000;

/** The compiler reports no location, so parts are compiled one by one; a part at fault gives the same message. */
const maxParts = 200;

function locateProblem(
  schema: unknown,
  reason: string,
  schemaProblem: (part: unknown) => string | null,
): PropertyKey[] {
  const steps: PropertyKey[] = [];
  let part = schema;
  let tried = 0;
  for (;;) {
    const inner = [...innerSchemas(part)].find(
      ({ value }) => !isPlainSchema(value) && ++tried <= maxParts && schemaProblem(value) === reason,
    );
    if (inner === undefined) return steps;
    steps.push(...inner.steps);
    part = inner.value;
  }
}

const maps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const singles = ["items", "additionalProperties", "contains", "not", "if", "then", "else", "propertyNames"];
const lists = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];

function* innerSchemas(schema: unknown): Generator<{ steps: PropertyKey[]; value: unknown }> {
  if (!isMap(schema)) return;
  for (const keyword of maps) {
    const members = schema[keyword];
    if (isMap(members))
      for (const [name, value] of Object.entries(members)) yield { steps: [keyword, name], value };
  }
  for (const keyword of singles) {
    const value = schema[keyword];
    if (isMap(value)) yield { steps: [keyword], value };
  }
  for (const keyword of lists) {
    const values = schema[keyword];
    if (Array.isArray(values))
      for (const [index, value] of values.entries()) yield { steps: [keyword, index], value };
  }
}
