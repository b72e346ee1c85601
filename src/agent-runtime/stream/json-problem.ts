import { shownText } from "../../shared/text/visible-text.ts";

/** Why a text is not the JSON object it should be. Cases and reports name these words. */
export type JsonProblemCode =
  | "invalid_utf8"
  | "too_long"
  | "no_object"
  | "truncated"
  | "too_deep"
  | "duplicate_key"
  | "control_character"
  | "bad_escape"
  | "bad_literal"
  | "bad_number"
  | "unexpected_character";

export interface JsonProblem {
  code: JsonProblemCode;
  /** One sentence, for a person and for the model that is to fix it. Offsets count UTF-16 units from 0. */
  problem: string;
}

export const noObject: JsonProblem = { code: "no_object", problem: "there is no JSON object in it" };

export function invalidUtf8(offset: number): JsonProblem {
  return { code: "invalid_utf8", problem: `invalid UTF-8 at offset ${offset}` };
}

export function tooLong(maxChars: number): JsonProblem {
  return { code: "too_long", problem: `longer than ${maxChars} characters` };
}

export function truncated(offset: number): JsonProblem {
  return { code: "truncated", problem: `it ends at offset ${offset}, before the object is closed` };
}

export function tooDeep(maxDepth: number, offset: number): JsonProblem {
  return { code: "too_deep", problem: `nested deeper than ${maxDepth} levels at offset ${offset}` };
}

export function duplicateKey(key: string, offset: number): JsonProblem {
  const problem = `the key ${JSON.stringify(shownText(key))} stands twice in one object, again at offset ${offset}`;
  return { code: "duplicate_key", problem };
}

export function controlCharacter(code: number, offset: number): JsonProblem {
  return {
    code: "control_character",
    problem: `${named(code)} must be escaped in a string, at offset ${offset}`,
  };
}

export function badEscape(code: number, offset: number): JsonProblem {
  return { code: "bad_escape", problem: `${named(code)} at offset ${offset} makes no escape of JSON` };
}

export function badLiteral(code: number, offset: number): JsonProblem {
  const problem = `${named(code)} at offset ${offset} makes none of true, false and null`;
  return { code: "bad_literal", problem };
}

export function badNumber(text: string, offset: number): JsonProblem {
  const problem = `${shownText(text, 40)} at offset ${offset} is not a finite number of JSON`;
  return { code: "bad_number", problem };
}

export function unexpectedCharacter(code: number, offset: number, expected: string): JsonProblem {
  const problem = `unexpected ${named(code)} at offset ${offset}, where ${expected} should stand`;
  return { code: "unexpected_character", problem };
}

function named(code: number): string {
  return code === 0x22 ? "a quotation mark" : `"${shownText(String.fromCodePoint(code))}"`;
}
