import type { Probing } from "../contract/probing.ts";
import type { Score, Scorer } from "../contract/scorer.ts";
import type { Json, JsonSchema } from "../shared/json/json.ts";
import { type CompiledSchema, compileSchema, ValidationOverran } from "../shared/json/json-schema.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shortenWords } from "../shared/text/visible-text.ts";
import { wrapperHint } from "./answer-value.ts";
import { isOneOf } from "./probe-expectation.ts";
import { invalid, type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes an answer that is valid against the schema, as it is or, for a text, read as JSON. */
export function jsonSchema(request: ScorerRequest): Scorer {
  const { schema } = request.task.expectedOutput;
  const ignoresFormats = request.task.evaluator?.strict === false;
  if (schema === undefined) throw vacuous(request, ".expectedOutput.schema", "json_schema needs a schema");
  const known = compileShared(schema, ignoresFormats);
  if (!known.ok)
    throw invalid(request, ".expectedOutput.schema", `the schema does not compile: ${known.problem}`);
  const { validate } = known.compiled;

  return {
    type: "json_schema",
    identity: { type: "json_schema", schema, ...(ignoresFormats && { strict: false }) },
    probing: known.probing,
    score({ output }) {
      try {
        const problems = findProblems(output, validate);
        if (problems.length === 0) return { score: 1, passed: true, reason: null };
        const reason = summarize(problems);
        const hint = wrapperHint(output, { isMatch: (bare) => isValid(bare, validate) });
        return { score: 0, passed: false, reason: hint === null ? reason : `${reason} (${hint})` };
      } catch (error) {
        return unscored(error as Error);
      }
    },
  };
}

/** How a schema is tried. */
export function schemaProbing(
  schema: JsonSchema,
  { accepts, mayTakeLong }: Compiled,
): Omit<Probing, "member"> {
  return {
    accepts(answer) {
      if (accepts(answer) || typeof answer !== "string") return accepts(answer);
      const parsed = parseStrictJson(answer);
      return parsed.ok && accepts(parsed.value);
    },
    isRight: isOneOf(literals(schema)),
    // No other keyword can demand a member that the wrapper has and `{}` has not.
    readsWrappers: /"(?:result|minProperties|not|if)"/.test(JSON.stringify(schema)),
    mayTakeLong,
    advice: "add required members, or limits such as const, minLength, minimum or minItems",
  };
}

/** The values that a schema names as a whole. */
function literals(schema: JsonSchema): Json[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { const: only, enum: some, type } = schema as { const?: Json; enum?: Json[]; type?: unknown };
  return [
    ...(only === undefined ? [] : [only]),
    ...(Array.isArray(some) ? some : []),
    ...(type === "null" ? [null] : []),
  ];
}

type Shared = { ok: true; compiled: Compiled; probing: Probing } | { ok: false; problem: string };
type Compiled = Extract<CompiledSchema, { ok: true }>;

const shared = new Map<string, Shared>();
const maxShared = 500;

/** Tasks often share a schema, and compiling takes longer than all the rest. */
function compileShared(schema: JsonSchema, ignoresFormats: boolean): Shared {
  const text = JSON.stringify([schema, ignoresFormats]);
  const known = shared.get(text);
  if (known !== undefined) return known;
  const compiled = compileSchema(schema, { ignoresFormats });
  const member = ".expectedOutput.schema";
  const made: Shared = compiled.ok
    ? { ok: true, compiled, probing: { ...schemaProbing(schema, compiled), member } }
    : compiled;
  if (shared.size >= maxShared) shared.clear();
  shared.set(text, made);
  return made;
}

function findProblems(output: Json, validate: (value: unknown) => string[]): string[] {
  const problems = validate(output);
  if (problems.length === 0 || typeof output !== "string") return problems;
  const parsed = parseStrictJson(output);
  return parsed.ok ? validate(parsed.value) : problems;
}

/** For a hint alone: a schema that takes too long for it gives none. */
function isValid(output: Json, validate: (value: unknown) => string[]): boolean {
  try {
    return findProblems(output, validate).length === 0;
  } catch {
    return false;
  }
}

function summarize(problems: readonly string[]): string {
  const shown = problems.slice(0, 3).join("; ");
  return shortenWords(problems.length > 3 ? `${shown}; and more` : shown, 500);
}

function unscored(error: Error): Score {
  const cause = error instanceof ValidationOverran ? "scorer-timeout" : "scorer-crashed";
  return { score: null, cause, message: shortenWords(error.message, 500) };
}
