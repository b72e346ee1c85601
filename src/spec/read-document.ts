import type * as z from "zod";
import type { DocumentReader, ReadDocument } from "../contract/document.ts";
import { type ErrorCode, UserError } from "../contract/user-error.ts";
import { knownKeys } from "./known-keys.ts";
import { readJsonFile } from "./read-json-file.ts";
import { checkUnknownKeys } from "./unknown-keys.ts";
import { zodProblem } from "./zod-problem.ts";

export const readDocument: DocumentReader = (path, schema, code) =>
  checkDocument(readJsonFile(path, code), schema, { path, code });

/** The same for a value that is already parsed. */
export function checkDocument<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  { path, code }: { path: string; code: ErrorCode },
): ReadDocument<z.infer<Schema>> {
  // A misspelt key first: "keyword is not known, did you mean keywords?" helps more than "keywords is missing".
  const warnings = checkUnknownKeys(value, knownKeys(schema), { path, code });
  const read = schema.safeParse(value);
  if (read.success) return { value: read.data, warnings };
  const problem = zodProblem(read.error, value);
  throw new UserError(code, `${path}: ${problem.message}`, { path, jsonPath: problem.jsonPath });
}
