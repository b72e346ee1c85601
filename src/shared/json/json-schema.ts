import { Ajv, type ErrorObject, type Options, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { shorten } from "../text/visible-text.ts";
import { isMap } from "./json-values.ts";
import { jsonPointer } from "./places.ts";
import { schemaProblemWords } from "./schema-problem-words.ts";
import { within } from "./time-limit.ts";

export type CompiledSchema =
  | {
      ok: true;
      /** What is wrong with the value, location first; empty when it is valid. Throws `ValidationOverran`. */
      validate(value: unknown): string[];
      /** The same with the location apart; a member that is missing or not allowed is named by its own pointer. */
      violations(value: unknown): Violation[];
      /** Only whether it is valid, without the time limit: for callers that set their own where `mayTakeLong`. */
      accepts(value: unknown): boolean;
      /** Whether a value can make the work grow faster than itself. */
      mayTakeLong: boolean;
    }
  | { ok: false; problem: string };

/** What is wrong with one part of a value. */
interface Violation {
  /** JSON pointer; empty for the whole value. */
  pointer: string;
  reason: string;
}

/** The check took too long (a pattern that backtracks, say), so nobody knows whether the value is valid. */
export class ValidationOverran extends Error {
  override readonly name = "ValidationOverran";
}

/** Compiles a JSON Schema, draft-07 unless its `$schema` says 2020-12. Misspelt keywords are problems; nothing is fetched. */
export function compileSchema(schema: unknown): CompiledSchema {
  try {
    const { draft, body } = readDraft(schema);
    const check = compileAlone(getValidator(draft), body);
    const mayTakeLong = slowKeyword.test(JSON.stringify(body));
    const errorsIn = (value: unknown): ErrorObject[] => {
      const isValid = mayTakeLong ? checkWithin(check, value) : check(value);
      return isValid ? [] : (check.errors ?? []).slice(0, maxMessages);
    };
    return {
      ok: true,
      validate: (value) => errorsIn(value).map(describeError),
      violations: (value) => errorsIn(value).map(toViolation),
      accepts: (value) => check(value) === true,
      mayTakeLong,
    };
  } catch (error) {
    return { ok: false, problem: shorten(schemaProblemWords((error as Error).message), 500) };
  }
}

type Draft = "draft-07" | "2020-12";

interface Validator {
  ajv: Ajv;
  /** The references of the draft itself; whatever else appears belongs to one schema alone. */
  ownReferences: ReadonlySet<string>;
}

const maxMessages = 20;
const maxPatternLength = 1000;
const validationLimitMs = 1000;
/** Where a value can make the work grow faster than itself. The limit costs a tenth of a millisecond, so others go without. */
const slowKeyword = /"(?:pattern|patternProperties|format|uniqueItems|\$ref|\$dynamicRef)":/;
const drafts = new Map<unknown, Draft>([
  [undefined, "draft-07"],
  ["http://json-schema.org/draft-07/schema", "draft-07"],
  ["http://json-schema.org/draft/2020-12/schema", "2020-12"],
]);
const validators = new Map<Draft, Validator>();

function readDraft(schema: unknown): { draft: Draft; body: object | boolean } {
  if (typeof schema === "boolean") return { draft: "draft-07", body: schema };
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    throw new Error("a schema is an object or a boolean");
  const { $schema, ...body } = schema as { $schema?: unknown };
  const name = typeof $schema === "string" ? $schema.replace(/^https:/, "http:").replace(/#$/, "") : $schema;
  const draft = drafts.get(name);
  if (draft === undefined)
    throw new Error(`$schema ${JSON.stringify($schema)} is not supported; draft-07 and 2020-12 are`);
  if (Object.hasOwn(body, "$async")) throw new Error("$async is not a JSON Schema keyword");
  return { draft, body };
}

function getValidator(draft: Draft): Validator {
  const known = validators.get(draft);
  if (known !== undefined) return known;
  const ajv = draft === "draft-07" ? new Ajv(options) : new Ajv2020(options);
  addFormats.default(ajv);
  const validator = { ajv, ownReferences: new Set(Object.keys(ajv.refs)) };
  validators.set(draft, validator);
  return validator;
}

/** Compiles a schema that neither sees nor disturbs the names (`$id`) of another one. */
function compileAlone({ ajv, ownReferences }: Validator, body: object | boolean) {
  try {
    return ajv.compile(body);
  } finally {
    for (const name of Object.keys(ajv.refs)) if (!ownReferences.has(name)) delete ajv.refs[name];
  }
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  const tail = detail === undefined ? "" : `: ${JSON.stringify(detail)}`;
  return shorten(`${instancePath || "(root)"} ${message ?? "is not valid"}${tail}`, 300);
}

function toViolation(error: ErrorObject): Violation {
  const { instancePath, params, keyword, schema } = error;
  // What a `not` rules out only its author can say.
  const described = keyword === "not" && isMap(schema) ? schema.description : undefined;
  if (typeof described === "string") return { pointer: instancePath, reason: shorten(described, 300) };
  const { missingProperty, additionalProperty, unevaluatedProperty } = params;
  const member = (name: string) => `${instancePath}${jsonPointer([name])}`;
  if (typeof missingProperty === "string") return { pointer: member(missingProperty), reason: "is required" };
  const surplus = additionalProperty ?? unevaluatedProperty;
  if (typeof surplus === "string") return { pointer: member(surplus), reason: "is not allowed" };
  return {
    pointer: instancePath,
    reason: describeError({ ...error, instancePath: "" }).slice("(root) ".length),
  };
}

const limitedPattern = Object.assign(
  (source: string, flags: string) => {
    if (source.length > maxPatternLength)
      throw new Error(`a pattern is longer than ${maxPatternLength} characters`);
    return new RegExp(source, flags);
  },
  { code: "new RegExp" },
);

const options: Options = {
  allErrors: true,
  ownProperties: true,
  strictSchema: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: false,
  // Errors carry their schema, for `description`.
  verbose: true,
  // Compiling the schema of schemas takes longer than all the rest, and finds little that strict mode does not.
  meta: false,
  validateSchema: false,
  code: { regExp: limitedPattern },
};

function checkWithin(check: ValidateFunction, value: unknown): boolean {
  const end = within(validationLimitMs, () => check(value) === true);
  if (end.isInTime) return end.value;
  throw new ValidationOverran(`checking the value took longer than ${validationLimitMs} ms`);
}
