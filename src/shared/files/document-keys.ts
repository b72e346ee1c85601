import { jsonPath } from "../json/json-path.ts";
import type { KnownKeys } from "../json/known-keys.ts";
import { unknownKeys } from "../json/unknown-keys.ts";
import { type ErrorCode, UserError } from "../user-error.ts";

export interface Document {
  /** The file, as the message should name it. */
  path: string;
  /** The code of the error. */
  code: ErrorCode;
}

/** Looks for keys nobody reads: one that is close to a known key is an error, any other a warning to print. */
export function checkUnknownKeys(value: unknown, known: KnownKeys, { path, code }: Document): string[] {
  return unknownKeys(value, known).map(({ steps, meant, isUnsafe }) => {
    const place = jsonPath(steps);
    const refuse = (problem: string, hint?: string) => {
      throw new UserError(code, `${path}: the key ${place} ${problem}`, { path, jsonPath: place, hint });
    };
    if (isUnsafe) refuse("is not allowed");
    if (meant !== null) refuse("is not known", `did you mean ${meant}?`);
    return `${path}: the key ${place} is not known and was ignored`;
  });
}
