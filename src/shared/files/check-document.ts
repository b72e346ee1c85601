import type * as z from "zod";
import { knownKeys } from "../json/known-keys.ts";
import { zodProblem } from "../json/zod-problem.ts";
import { UserError } from "../user-error.ts";
import { checkUnknownKeys, type Document } from "./document-keys.ts";

/** A document that fits its schema, with what nobody will read in it. */
export interface CheckedDocument<Value> {
  value: Value;
  warnings: string[];
}

/** Holds what a person wrote against a schema; whatever is wrong with it is a UserError with the file and the place. */
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
