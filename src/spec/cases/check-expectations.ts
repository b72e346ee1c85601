import { isMap } from "../../base/is-map.ts";
import { lexicalProblem } from "../../base/path-guard.ts";
import { shorten, shownText } from "../../base/visible-text.ts";
import type { AgentCaseFile, Expect, ExpectedText } from "../../contract/agent-case.ts";
import type { Teller } from "./raw-case.ts";

const longestPattern = 1000;

/** Refuses expectations that every run fulfils, or none can. */
export function checkExpectations({ expect }: AgentCaseFile, tell: Teller): void {
  checkTriggers(expect, tell);
  checkSequence(expect, tell);
  checkErrors(expect, tell);
  checkFiles(expect, tell);
  if (expect.output !== undefined) checkOutput(expect.output, tell);
}

function checkTriggers(expect: Expect, tell: Teller): void {
  const { skills_all_of: all = [], skills_any_of: any = [], skills_none_of: none = [] } = expect;
  const isForbidden = (name: string) => none.includes("*") || none.includes(name);
  const wanted = all.find(isForbidden);
  const contradicts = (name: string) => `asks for ${shownText(name)}, which skills_none_of forbids`;
  if (wanted !== undefined) throw tell.fault(["expect", "skills_all_of"], contradicts(wanted));
  if (any.length > 0 && any.every(isForbidden))
    throw tell.fault(["expect", "skills_any_of"], contradicts(any[0] ?? ""));
}

function checkSequence({ action_sequence_constraints: rules }: Expect, tell: Teller): void {
  const forbidden = new Set(rules.flatMap((rule) => ("forbid" in rule ? [rule.forbid] : [])));
  for (const [index, rule] of rules.entries()) {
    if ("forbid" in rule) continue;
    const steps = ["expect", "action_sequence_constraints", index];
    const { must_occur, before = [] } = rule;
    if (forbidden.has(must_occur))
      throw tell.fault(
        [...steps, "must_occur"],
        `asks for ${shownText(must_occur)}, which another rule forbids`,
      );
    if ([before].flat().includes(must_occur))
      throw tell.fault([...steps, "before"], "names what must come before it; nothing comes before itself");
  }
}

function checkErrors({ errors }: Expect, tell: Teller): void {
  for (const [index, { min, max }] of errors.entries())
    if (max !== undefined && max < min)
      throw tell.fault(["expect", "errors", index, "max"], `must be at least min, which is ${min}`);
}

function checkFiles({ files }: Expect, tell: Teller): void {
  for (const [index, { path, exists, sha256, equals, contains_all }] of files.entries()) {
    const steps = ["expect", "files", index];
    const asksForContent = sha256 !== undefined || equals !== undefined || contains_all !== undefined;
    if (!exists && asksForContent)
      throw tell.fault(steps, "asks for the content of a file that must not exist");
    if (sha256 !== undefined && !isHash(sha256))
      throw tell.fault(
        [...steps, "sha256"],
        "must be 64 hexadecimal digits, with sha256: before them or not",
      );
    const problem = lexicalProblem(path);
    if (problem !== null)
      throw tell.fault([...steps, "path"], `must be a path inside the workspace, and ${problem}`);
  }
}

function isHash(text: string): boolean {
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(text);
}

function checkOutput(output: ExpectedText, tell: Teller): void {
  const at = (...steps: PropertyKey[]) => ["expect", "output", ...steps];
  const { regex_match: patterns, json_schema: schema } = output;
  if (Array.isArray(patterns))
    for (const [index, pattern] of patterns.entries()) checkPattern(pattern, at("regex_match", index), tell);
  else if (patterns !== undefined) checkPattern(patterns, at("regex_match"), tell);
  if (schema !== undefined && schema !== true && !isMap(schema) && !(typeof schema === "string" && schema))
    throw tell.fault(at("json_schema"), "must be a JSON Schema or the path of one");
  const { format_strict, case_sensitive, ...asked } = output;
  if (Object.values(asked).every((value) => value === undefined)) {
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
