import { canonicalJson } from "./canonical-json.ts";
import type { EvaluationRules } from "./evaluate-schema.ts";
import { isMap } from "./json-values.ts";
import type { Resource } from "./schema-resources.ts";

/** Something that a schema rejected, as the compiler of older drafts reports it. */
export interface SchemaError {
  instancePath: string;
  keyword: string;
  message: string;
  params: Readonly<Record<string, unknown>>;
  /** The value of the keyword. */
  schema: unknown;
}

export type Schema = Readonly<Record<string, unknown>>;

/** Where a part of a value is, and what was found on the way. */
export interface Place {
  at: string;
  /** The resources that were entered, the outermost first. */
  scope: readonly Resource[];
  errors: SchemaError[];
}

export function fail(
  { at, errors }: Place,
  keyword: string,
  message: string,
  params: SchemaError["params"] = {},
  schema: unknown = null,
): void {
  errors.push({ instancePath: at, keyword, message, params, schema });
}

/** What a schema says about a value by itself, whatever is in it. */
export function checkPlain(
  schema: Schema,
  value: unknown,
  place: Place,
  rules: Pick<EvaluationRules, "format" | "pattern">,
): void {
  const { type, enum: values, const: only } = schema;
  const types = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((one) => isOfType(value, one)))
    fail(place, "type", `must be ${types.join(",")}`, { type });
  if (Array.isArray(values) && !values.some((one) => isSame(one, value)))
    fail(place, "enum", "must be equal to one of the allowed values", { allowedValues: values });
  if (Object.hasOwn(schema, "const") && !isSame(only, value))
    fail(place, "const", "must be equal to constant", { allowedValue: only });
  if (typeof value === "number") checkNumber(schema, value, place);
  if (typeof value === "string") checkText(schema, value, place, rules);
  const { format } = schema;
  if (typeof format !== "string" || rules.format === undefined) return;
  if (rules.format(format)?.(value) === false) fail(place, "format", `must match format "${format}"`);
}

function checkNumber(schema: Schema, value: number, place: Place): void {
  const limits = [
    ["minimum", ">=", (limit: number) => value >= limit],
    ["maximum", "<=", (limit: number) => value <= limit],
    ["exclusiveMinimum", ">", (limit: number) => value > limit],
    ["exclusiveMaximum", "<", (limit: number) => value < limit],
  ] as const;
  for (const [keyword, sign, holds] of limits) {
    const limit = schema[keyword];
    if (typeof limit === "number" && !holds(limit)) fail(place, keyword, `must be ${sign} ${limit}`);
  }
  const { multipleOf } = schema;
  if (typeof multipleOf === "number" && !Number.isInteger(value / multipleOf))
    fail(place, "multipleOf", `must be multiple of ${multipleOf}`);
}

function checkText(
  schema: Schema,
  value: string,
  place: Place,
  rules: Pick<EvaluationRules, "pattern">,
): void {
  checkSize(schema, "Length", [...value].length, "characters", place);
  const { pattern } = schema;
  if (typeof pattern === "string" && !rules.pattern(pattern).test(value))
    fail(place, "pattern", `must match pattern "${pattern}"`);
}

/** Holds a size to its limits: `minItems`, `maxItems`. */
export function checkSize(schema: Schema, what: string, size: number, noun: string, place: Place): void {
  const { [`min${what}`]: least, [`max${what}`]: most } = schema;
  if (typeof least === "number" && size < least)
    fail(place, `min${what}`, `must NOT have fewer than ${least} ${noun}`);
  if (typeof most === "number" && size > most)
    fail(place, `max${what}`, `must NOT have more than ${most} ${noun}`);
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isMap(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return typeof value === "number" && Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || canonicalJson(one) === canonicalJson(other);
}
