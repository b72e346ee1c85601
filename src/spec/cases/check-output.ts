import { isMap } from "../../base/is-map.ts";
import { shorten } from "../../base/visible-text.ts";
import type { ExpectedText } from "../../contract/agent-case.ts";
import type { Teller } from "./raw-case.ts";

const longestPattern = 1000;

/** Refuses what no text can be, and tells of what every text is. */
export function checkOutput(output: ExpectedText & { contract?: boolean }, tell: Teller): void {
  const at = (...steps: PropertyKey[]) => ["expect", "output", ...steps];
  const { regex_match: patterns, json_schema: schema } = output;
  if (Array.isArray(patterns))
    for (const [index, pattern] of patterns.entries()) checkPattern(pattern, at("regex_match", index), tell);
  else if (patterns !== undefined) checkPattern(patterns, at("regex_match"), tell);
  if (schema !== undefined && schema !== true && !isMap(schema) && !(typeof schema === "string" && schema))
    throw tell.fault(at("json_schema"), "must be a JSON Schema or the path of one");
  const { format_strict, case_sensitive, ...asked } = output;
  if (Object.values(asked).every((value) => value === undefined || value === false)) {
    const { shown, jsonPath } = tell.placeOf(at());
    tell.warn(`${shown}: ${jsonPath} asks for nothing`);
  }
}

function checkPattern(
  written: string | { pattern: string; flags?: string | undefined },
  steps: readonly PropertyKey[],
  tell: Teller,
): void {
  const { pattern, flags = "u" } = typeof written === "string" ? { pattern: written } : written;
  if (pattern.length > longestPattern)
    throw tell.fault(steps, `is a pattern longer than ${longestPattern} characters`);
  try {
    new RegExp(pattern, flags);
  } catch (error) {
    const problem = shorten((error as Error).message, 300);
    throw tell.fault(steps, `is a bad pattern: ${problem}`, hintForPattern(pattern, flags));
  }
}

/** Escapes that no rule asks for are an error with the flag `u`, and habit elsewhere. */
function hintForPattern(pattern: string, flags: string): string | undefined {
  try {
    new RegExp(pattern, flags.replace(/[uv]/g, ""));
    return `it is valid without the flag u: {"pattern": …, "flags": ""}`;
  } catch {
    return undefined;
  }
}
