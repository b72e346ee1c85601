import { Ajv, type ErrorObject, type Options } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { shorten } from "../text/visible-text.ts";
import type { SchemaError } from "./check-plain-value.ts";
import { schemaEvaluator } from "./evaluate-schema.ts";
import { formatCheck, internationalFormats } from "./formats.ts";
import { isMap } from "./json-values.ts";
import { jsonPointer } from "./locations.ts";
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

/**
 * Compiles a JSON Schema, draft-07 unless its `$schema` says 2020-12. Misspelt keywords are problems; nothing is fetched. Formats
 * are checked in both drafts, unless `ignoresFormats`.
 */
export function compileSchema(
  schema: unknown,
  { ignoresFormats = false }: { ignoresFormats?: boolean } = {},
): CompiledSchema {
  try {
    const { draft, body } = readDraft(schema);
    const text = JSON.stringify(body);
    const check = prepareCheck(draft, body, { text, ignoresFormats });
    const mayTakeLong = slowKeyword.test(text);
    const errorsIn = (value: unknown): SchemaError[] =>
      (mayTakeLong ? checkWithin(check, value) : check(value)).slice(0, maxMessages);
    return {
      ok: true,
      validate: (value) => errorsIn(value).map(describeError),
      violations: (value) => errorsIn(value).map(toViolation),
      accepts: (value) => check(value).length === 0,
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
const validators = new Map<string, Validator>();

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

/** What is wrong with a value, the first first. */
type Check = (value: unknown) => SchemaError[];

/**
 * Draft-07 is compiled. The compiler gets `$dynamicRef`, `unevaluatedItems`, `unevaluatedProperties` and members called
 * `__proto__` wrong, so that everything of 2020-12, and what has such a member, is evaluated instead.
 */
function prepareCheck(
  draft: Draft,
  body: object | boolean,
  { text, ignoresFormats }: { text: string; ignoresFormats: boolean },
): Check {
  const isDraft07 = draft === "draft-07";
  if (!isDraft07 || mistakenInDraft07.test(text))
    return schemaEvaluator(body, {
      isDraft07,
      documentAt: metaSchema,
      format: ignoresFormats ? undefined : formatCheck,
      pattern: knownPattern(),
    });
  const validate = compileAlone(
    getValidator(ignoresFormats, text.includes("//json-schema.org/draft-07/")),
    body,
  );
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map(toSchemaError));
}

/** Members of that name, and names of schemas further inside, beside which a `$ref` counts. */
const mistakenInDraft07 = /"__proto__"|.[{,]"\$id"/;

function toSchemaError({ instancePath, keyword, message, params, schema }: ErrorObject): SchemaError {
  return { instancePath, keyword, message: message ?? "is not valid", params, schema };
}

/** Patterns of one schema, each compiled once. */
function knownPattern(): (source: string) => RegExp {
  const known = new Map<string, RegExp>();
  return (source) => {
    const pattern = known.get(source) ?? limitedPattern(source, "u");
    known.set(source, pattern);
    return pattern;
  };
}

let drafted: Ajv[] | null = null;

/** The schemas of the drafts themselves, which schemas may refer to. */
function metaSchema(uri: string): unknown {
  drafted ??= [new Ajv2020({ logger: false }), new Ajv({ logger: false })];
  for (const { schemas } of drafted) {
    const found = schemas[uri] ?? schemas[`${uri}#`];
    if (found !== undefined) return found.schema;
  }
  return undefined;
}

function getValidator(ignoresFormats: boolean, knowsDraft: boolean): Validator {
  const name = JSON.stringify([ignoresFormats, knowsDraft]);
  const known = validators.get(name);
  if (known !== undefined) return known;
  const ajv = new Ajv({ ...options, meta: knowsDraft, validateFormats: !ignoresFormats });
  addFormats.default(ajv);
  for (const format of internationalFormats)
    ajv.addFormat(format, (text: string) => formatCheck(format)?.(text) === true);
  const validator = { ajv, ownReferences: new Set(Object.keys(ajv.refs)) };
  validators.set(name, validator);
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

function describeError({ instancePath, message, params }: SchemaError): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params;
  const detail = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  const tail = detail === undefined ? "" : `: ${JSON.stringify(detail)}`;
  return shorten(`${instancePath || "(root)"} ${message}${tail}`, 300);
}

function toViolation(error: SchemaError): Violation {
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
  strictSchema: "log",
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  logger: { log() {}, warn: refuseUnknown, error() {} },
  // Errors carry their schema, for `description`.
  verbose: true,
  // Compiling the schema of schemas takes longer than all the rest, and finds little that strict mode does not.
  meta: false,
  validateSchema: false,
  code: { regExp: limitedPattern },
};

/** A keyword that is not known is a mistake. One that has no effect here, such as `then` without `if`, is none. */
function refuseUnknown(message: unknown): void {
  if (/unknown keyword/.test(String(message))) throw new Error(String(message));
}

function checkWithin(check: Check, value: unknown): SchemaError[] {
  const end = within(validationLimitMs, () => check(value));
  if (end.isInTime) return end.value;
  throw new ValidationOverran(`checking the value took longer than ${validationLimitMs} ms`);
}
