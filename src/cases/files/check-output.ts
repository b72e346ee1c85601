import type { ExpectedText } from "../../contract/agent-case.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import type { ProblemReporter } from "./raw-case.ts";

const maxPatternLength = 1000;

/** Refuses what no text can match, and warns of what every text matches. */
export function checkOutput(output: ExpectedText & { contract?: boolean }, report: ProblemReporter): void {
  const at = (...steps: PropertyKey[]) => ["expect", "output", ...steps];
  const { regex_match: patterns, json_schema: schema } = output;
  if (Array.isArray(patterns))
    for (const [index, pattern] of patterns.entries())
      checkPattern(pattern, at("regex_match", index), report);
  else if (patterns !== undefined) checkPattern(patterns, at("regex_match"), report);
  if (schema !== undefined && schema !== true && !isMap(schema) && !(typeof schema === "string" && schema))
    throw report.fault(at("json_schema"), "must be a JSON Schema or the path of one");
  const { format_strict, case_sensitive, ...asked } = output;
  if (Object.values(asked).every((value) => value === undefined || value === false)) {
    const { shown, jsonPath } = report.placeOf(at());
    report.warn(`${shown}: ${jsonPath} checks nothing`);
  }
}

function checkPattern(
  written: string | { pattern: string; flags?: string | undefined },
  steps: readonly PropertyKey[],
  report: ProblemReporter,
): void {
  const { pattern, flags = "u" } = typeof written === "string" ? { pattern: written } : written;
  if (pattern.length > maxPatternLength)
    throw report.fault(steps, `is a pattern longer than ${maxPatternLength} characters`);
  try {
    new RegExp(pattern, flags);
  } catch (error) {
    const problem = shorten((error as Error).message, 300);
    throw report.fault(steps, `is not a valid pattern: ${problem}`, hintForPattern(pattern, flags));
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
