import type { ExpectedText } from "../../contract/agent-case.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { Json, JsonSchema } from "../../shared/json/json.ts";
import { compileSchema } from "../../shared/json/json-schema.ts";
import { matchInThread, matchLimitMs } from "../../shared/json/match-in-thread.ts";
import { shownLines, shownText } from "../../shared/text/visible-text.ts";
import { checkEqualFile } from "./case-files.ts";
import type { CheckResult, Fault } from "./dimension.ts";

/** What a case asks of the text at the end, with the files it names. */
interface TextExpectation {
  output: ExpectedText;
  /** Undefined where none is required. */
  outputSchema: JsonSchema | undefined;
  /** Absolute paths, by the words that name them. */
  expectedFiles: Readonly<Record<string, string>>;
}

type At = readonly AgentEvent[];

/** Whether a text is what a case asks for. `at`: the events that show what it is. */
export async function checkText(wanted: TextExpectation, text: string, at: At = []): Promise<CheckResult[]> {
  const { output, outputSchema, expectedFiles } = wanted;
  const checks = [...checkWords(output, text), ...(await checkPatterns(output, text, at))];
  const json = output.format === "json" || outputSchema !== undefined ? parse(text) : null;
  if (output.format !== undefined) checks.push(checkFormat(output, text, json, at));
  if (outputSchema !== undefined && json !== null)
    checks.push(checkSchema(outputSchema, json, output.format === "json", at));
  if (output.equals_file !== undefined)
    checks.push(checkEqualFile(expectedFiles, output.equals_file, text, at));
  return checks;
}

function checkWords(output: ExpectedText, text: string): CheckResult[] {
  const { contains_any, contains_all, not_contains_any, case_sensitive } = output;
  const tidy = (words: string) => (case_sensitive ? words.normalize() : words.normalize().toLowerCase());
  const whole = tidy(text);
  const has = (words: string) => whole.includes(tidy(words));
  const checks: CheckResult[] = [];
  const add = (name: string, wrong: readonly string[], message: string, expected: Json) =>
    checks.push({
      ...requiredCheck(name),
      faults:
        wrong.length === 0
          ? []
          : [
              {
                code: "OutputContains",
                message: `${message}: ${shown(wrong)}`,
                expected,
                actual: excerpt(text),
              },
            ],
    });
  if (contains_any !== undefined) {
    const wrong = contains_any.some(has) ? [] : contains_any;
    add("contains any", wrong, "the text has none of these", { contains_any });
  }
  if (contains_all !== undefined) {
    const wrong = contains_all.filter((words) => !has(words));
    add("contains all", wrong, "the text lacks", { contains_all });
  }
  if (not_contains_any !== undefined)
    add("contains none", not_contains_any.filter(has), "the text must not have", { not_contains_any });
  return checks;
}

async function checkPatterns(output: ExpectedText, text: string, at: At): Promise<CheckResult[]> {
  const { regex_match, case_sensitive } = output;
  if (regex_match === undefined) return [];
  const missed: string[] = [];
  let unseen: string | null = null;
  for (const entry of Array.isArray(regex_match) ? regex_match : [regex_match]) {
    const { pattern, flags = case_sensitive ? "u" : "iu" } =
      typeof entry === "string" ? { pattern: entry } : entry;
    const end = await matchInThread({ pattern, flags, text });
    if (end.status === "overran") unseen ??= `/${shownText(pattern)}/ ran longer than ${matchLimitMs} ms`;
    else if (end.status === "broken") unseen ??= `/${shownText(pattern)}/: ${shownText(end.problem, 200)}`;
    else if (!end.isMatch) missed.push(`/${pattern}/${flags}`);
  }
  const faults: Fault[] =
    missed.length === 0
      ? []
      : [
          {
            code: "OutputRegex",
            message: `the text does not match ${shown(missed)}`,
            expected: missed,
            actual: excerpt(text),
            at,
          },
        ];
  return [{ ...requiredCheck("regex_match"), unseen, faults }];
}

type Parsed = { ok: true; value: unknown } | { ok: false; problem: string };

function checkFormat(
  { format, format_strict }: ExpectedText,
  text: string,
  json: Parsed | null,
  at: At,
): CheckResult {
  const check = requiredCheck(`format ${format}`);
  if (format === "json" && json?.ok === false) {
    const message = `the text is not JSON: ${shownText(json.problem, 200)}`;
    return {
      ...check,
      faults: [{ code: "OutputFormat", message, expected: "json", actual: excerpt(text), at }],
    };
  }
  if (format === "markdown" && format_strict && !isMarkdown(text)) {
    const message =
      'the text has no heading, list, table, fence, quote or link; with "format_strict": false any text is Markdown';
    return {
      ...check,
      faults: [{ code: "OutputFormat", message, expected: "markdown", actual: excerpt(text), at }],
    };
  }
  return { ...check, faults: [] };
}

function checkSchema(asks: JsonSchema, json: Parsed, isFormatRequired: boolean, at: At): CheckResult {
  const check = requiredCheck("json_schema");
  if (!json.ok) {
    // Where the format is required, that check has failed already.
    if (isFormatRequired) return { ...check, exercised: false, unseen: "the text is not JSON", faults: [] };
    return { ...check, faults: [schemaFault([`it is not JSON: ${shownText(json.problem, 200)}`], at)] };
  }
  try {
    const schema = compileSchema(asks);
    if (!schema.ok) return { ...check, unseen: `the schema cannot be used: ${schema.problem}`, faults: [] };
    const problems = schema.validate(json.value);
    return { ...check, faults: problems.length === 0 ? [] : [schemaFault(problems, at)] };
  } catch (error) {
    return { ...check, unseen: shownText((error as Error).message, 200), faults: [] };
  }
}

function schemaFault(problems: readonly string[], at: At): Fault {
  const shownProblems = problems.map((problem) => shownText(problem, 300));
  return {
    code: "OutputSchema",
    message: `the text does not fit the schema: ${shownProblems.slice(0, 3).join("; ")}`,
    expected: "json_schema",
    actual: shownProblems,
    at,
  };
}

function parse(text: string): Parsed {
  try {
    return { ok: true, value: JSON.parse(text.trim()) };
  } catch (error) {
    return { ok: false, problem: (error as Error).message };
  }
}

function requiredCheck(name: string): Omit<CheckResult, "faults"> {
  return { name, isRequired: true, exercised: true, unseen: null };
}

function excerpt(text: string): string {
  return shownLines(text, 200);
}

function shown(texts: readonly string[]): string {
  const some = texts.slice(0, 5).map((text) => shownText(JSON.stringify(text), 80));
  return `${some.join(", ")}${texts.length > 5 ? ` and ${texts.length - 5} more` : ""}`;
}

/** Whether a text uses Markdown: a heading, list, table, fence, quote or link. One look at each line. */
export function isMarkdown(text: string): boolean {
  let before = "";
  for (const line of text.split(/\r?\n/)) {
    if (marked.test(line) || hasLink(line)) return true;
    if (before.trim() !== "" && (isUnderline(line) || isTableRule(line, before))) return true;
    before = line;
  }
  return false;
}

/** A heading, a fence, a quote, an item of a list. */
const marked = /^(?: {0,3}(?:#{1,6}(?:[ \t]|$)|```|~~~|>)|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\S)/;

/** A line of `=` or `-` makes the one above it a heading. */
function isUnderline(line: string): boolean {
  const text = line.trim();
  return text !== "" && /^ {0,3}\S/.test(line) && (/^=+$/.test(text) || /^-+$/.test(text));
}

function isTableRule(line: string, before: string): boolean {
  if (!line.includes("|") || !before.includes("|")) return false;
  const cells = line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
  return cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

function hasLink(line: string): boolean {
  const open = line.indexOf("[");
  const middle = open === -1 ? -1 : line.indexOf("](", open);
  if (middle !== -1 && line.lastIndexOf(")") > middle + 2) return true;
  return /^ {0,3}\[[^\]]+\]:/.test(line) || /<(?:https?:\/\/|mailto:)[^\s<>]+>/.test(line);
}
