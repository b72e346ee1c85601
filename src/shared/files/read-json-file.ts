import { findJsonFault } from "../json/find-json-fault.ts";
import { parseStrictJson } from "../json/strict-json.ts";
import { type ErrorCode, UserError } from "../user-error.ts";
import { readTextFile } from "./read-text-file.ts";

/** A file above this is refused before it is parsed. */
export const jsonFileCapBytes = 64 * 1024 * 1024;

/** The JSON of a file that a person wrote. Whatever is wrong with it becomes a UserError with this code, the file and the line. */
export function readJsonFile(path: string, code: ErrorCode, shownPath: string = path): unknown {
  return parseJsonText(readTextFile(path, { code, capBytes: jsonFileCapBytes, shownPath }), code, shownPath);
}

/** The same for text that has already been read. */
export function parseJsonText(text: string, code: ErrorCode, shownPath: string): unknown {
  const read = parseStrictJson(text);
  if (read.ok) return read.value;
  const fault = findJsonFault(text);
  const message =
    fault === null
      ? `${shownPath}: ${read.problem}`
      : `${shownPath}: invalid JSON at line ${fault.line}, column ${fault.column}: ${fault.problem}`;
  throw new UserError(code, message, { path: shownPath });
}
