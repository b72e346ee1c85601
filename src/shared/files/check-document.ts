import type * as z from "zod";
import { type KnownKeys, knownKeys, unknownKeys } from "../json/known-keys.ts";
import { jsonPath } from "../json/locations.ts";
import { zodProblem } from "../json/zod-problem.ts";
import { type ErrorCode, UserError } from "../user-error.ts";

/** A document that fits its schema, with what nobody will read in it. */
export interface CheckedDocument<Value> {
  value: Value;
  warnings: string[];
}

/** Checks what a person wrote against a schema; whatever is wrong with it is a UserError with the file and the path in it. */
export function checkDocument<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  { path, code }: Document,
): CheckedDocument<z.infer<Schema>> {
  // A misspelt key first: "keyword is not known, did you mean keywords?" helps more than "keywords is missing".
  const warnings = checkUnknownKeys(value, knownKeys(schema), { path, code });
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data, warnings };
  const problem = zodProblem(read.error, value);
  throw new UserError(code, `${path}: ${problem.message}`, { path, jsonPath: problem.jsonPath });
}

export interface Document {
  /** The file, as the message should name it. */
  path: string;
  /** The code of the error. */
  code: ErrorCode;
}

/** Looks for keys nobody reads: one that is close to a known key is an error, any other a warning to print. */
export function checkUnknownKeys(value: unknown, known: KnownKeys, { path, code }: Document): string[] {
  return unknownKeys(value, known).map(({ steps, meant, isUnsafe }) => {
    const shownKey = jsonPath(steps);
    const refuse = (problem: string, hint?: string) => {
      throw new UserError(code, `${path}: the key ${shownKey} ${problem}`, {
        path,
        jsonPath: shownKey,
        hint,
      });
    };
    if (isUnsafe) refuse("is not allowed");
    if (meant !== null) refuse("is not known", `did you mean ${meant}?`);
    return `${path}: the key ${shownKey} is not known and was ignored`;
  });
}
