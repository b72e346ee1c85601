import type { Score, Scorer } from "../contract/scorer.ts";
import type { Json, JsonSchema } from "../shared/json/json.ts";
import { compileSchema, ValidationOverran } from "../shared/json/json-schema.ts";
import { parseStrictJson } from "../shared/json/strict-json.ts";
import { shortenWords } from "../shared/text/visible-text.ts";
import { wrapperHint } from "./answer-value.ts";
import { invalid, type ScorerRequest, vacuous } from "./scorer-request.ts";

/** Passes an answer that is valid against the schema, as it is or, for a text, read as JSON. */
export function jsonSchema(request: ScorerRequest): Scorer {
  const { schema } = request.task.expectedOutput;
  if (schema === undefined || isVacuous(schema))
    throw vacuous(request, ".expectedOutput.schema", "json_schema needs a schema that some answer fails");
  const compiled = compileSchema(schema);
  if (!compiled.ok)
    throw invalid(request, ".expectedOutput.schema", `the schema does not compile: ${compiled.problem}`);
  const { validate } = compiled;

  return {
    type: "json_schema",
    identity: { type: "json_schema", schema },
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

/** Keywords that describe without demanding. */
const annotations = new Set(["$schema", "$id", "$comment", "title", "description", "default", "examples"]);

function isVacuous(schema: JsonSchema): boolean {
  if (schema === true) return true;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return false;
  return Object.keys(schema).every((keyword) => annotations.has(keyword));
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
