import type { AgentCaseFile, ArgumentPattern, Expect, ExpectedText } from "../../contract/agent-case.ts";
import { lexicalProblem } from "../../shared/files/path-guard.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { readJsonPath } from "../../shared/json/read-json-path.ts";
import { shorten, shownText } from "../../shared/text/visible-text.ts";
import type { ProblemReporter } from "./raw-case.ts";

/** Refuses expectations that every run fulfils, or none can. */
export function checkExpectations({ expect }: AgentCaseFile, report: ProblemReporter): void {
  checkSelection(expect, report);
  checkSequence(expect, report);
  checkErrors(expect, report);
  checkFiles(expect, report);
  if (expect.output !== undefined) checkOutput(expect.output, report);
}

function checkSequence({ action_sequence_constraints: rules }: Expect, report: ProblemReporter): void {
  const forbidden = new Set(
    rules.flatMap((rule) => ("forbid" in rule && rule.args === undefined ? [rule.forbid] : [])),
  );
  for (const [index, rule] of rules.entries()) {
    const steps = ["expect", "action_sequence_constraints", index];
    checkArguments(rule.args, [...steps, "args"], report);
    if ("forbid" in rule) continue;
    const { must_occur, before = [], min = 1, max = Number.POSITIVE_INFINITY } = rule;
    if (max < min) throw report.fault([...steps, "max"], `must be at least min, which is ${min}`);
    if (min === 0 && rule.max === undefined)
      throw report.fault([...steps, "min"], "is 0 without max: every run fulfils that");
    if (min > 0 && forbidden.has(must_occur))
      throw report.fault(
        [...steps, "must_occur"],
        `requires ${shownText(must_occur)}, which another rule forbids`,
      );
    if ([before].flat().includes(must_occur))
      throw report.fault([...steps, "before"], "must name another action: nothing comes before itself");
  }
}

function checkArguments(
  args: ArgumentPattern | undefined,
  steps: readonly PropertyKey[],
  report: ProblemReporter,
): void {
  if (args === undefined) return;
  if (args.contains === undefined && args.matches === undefined)
    throw report.fault(steps, "must name contains or matches: every call has arguments like these");
  if (args.matches !== undefined) checkPattern(args.matches, [...steps, "matches"], report);
}

function checkErrors({ errors }: Expect, report: ProblemReporter): void {
  for (const [index, { min, max }] of errors.entries())
    if (max !== undefined && max < min)
      throw report.fault(["expect", "errors", index, "max"], `must be at least min, which is ${min}`);
}

function checkFiles({ files }: Expect, report: ProblemReporter): void {
  for (const [index, { path, exists, sha256, ...content }] of files.entries()) {
    const steps = ["expect", "files", index];
    const { json = {}, regex_match = [] } = content;
    const asksForContent = [sha256, ...Object.values(content)].some((asked) => asked !== undefined);
    for (const [n, pattern] of [regex_match].flat().entries())
      checkPattern(pattern, [...steps, "regex_match", n], report);
    for (const key of Object.keys(json))
      if (readJsonPath(key) === null)
        throw report.fault(
          [...steps, "json"],
          `has ${shownText(key)}, which is not a path like $.items[0].name`,
        );
    if (!exists && asksForContent)
      throw report.fault(steps, "checks the content of a file that must not exist");
    if (sha256 !== undefined && !isHash(sha256))
      throw report.fault([...steps, "sha256"], "must be 64 hexadecimal digits, optionally after sha256:");
    const problem = lexicalProblem(path);
    if (problem !== null)
      throw report.fault([...steps, "path"], `must be a path inside the workspace: it ${problem}`);
  }
}

function isHash(text: string): boolean {
  return /^(?:sha256:)?[0-9a-f]{64}$/.test(text);
}

const maxPatternLength = 1000;

/** Refuses what no text can match, and warns of what every text matches. */
export function checkOutput(
  output: ExpectedText & { contract?: boolean; schema?: string | undefined },
  report: ProblemReporter,
): void {
  const at = (...steps: PropertyKey[]) => ["expect", "output", ...steps];
  const { regex_match: patterns, json_schema: schema } = output;
  if (Array.isArray(patterns))
    for (const [index, pattern] of patterns.entries())
      checkPattern(pattern, at("regex_match", index), report);
  else if (patterns !== undefined) checkPattern(patterns, at("regex_match"), report);
  if (schema !== undefined && schema !== true && !isMap(schema) && !(typeof schema === "string" && schema))
    throw report.fault(at("json_schema"), "must be a JSON Schema or the path of one");
  const { format_strict, case_sensitive, ...checks } = output;
  if (Object.values(checks).every((value) => value === undefined || value === false)) {
    const { shown, jsonPath } = report.locate(at());
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

type Selection = Pick<Expect, "skills_all_of" | "skills_any_of" | "skills_none_of">;

/** Refuses to ask for a skill and to forbid it. */
export function checkSelection(expect: Selection, report: ProblemReporter): void {
  const { skills_all_of: all = [], skills_any_of: any = [], skills_none_of: none = [] } = expect;
  const isForbidden = (name: string) => none.includes("*") || none.includes(name);
  const wanted = all.find(isForbidden);
  const contradicts = (name: string) => `requires ${shownText(name)}, which skills_none_of forbids`;
  if (wanted !== undefined) throw report.fault(["expect", "skills_all_of"], contradicts(wanted));
  if (any.length > 0 && any.every(isForbidden))
    throw report.fault(["expect", "skills_any_of"], contradicts(any[0] ?? ""));
}
