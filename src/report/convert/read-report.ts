import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import type * as z from "zod";
import { subjectName } from "../../contract/cell.ts";
import { ReportDocument } from "../../contract/document.ts";
import type { CellFilter, CellReader } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import { CellResult, parseCell } from "../../contract/result.ts";
import { parseJsonText, readTextFile } from "../../shared/files/read-text-file.ts";
import { findJsonFault } from "../../shared/json/find-json-fault.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { UserError } from "../../shared/user-error.ts";

/** A little less than the longest text Node can hold. A hundred thousand results take about a tenth of it. */
const reportCapBytes = 500 * 1024 * 1024;
const code = "report-invalid";

/** A report file: its document, and its cells one at a time. */
export interface OpenReport {
  report: ReportDocument;
  cells: CellReader;
}

/** Reads a report file, `json` or `ndjson`, of any of these levels. */
export function readReport(path: string, levels: readonly Level[], shownPath: string = path): OpenReport {
  const head = firstLine(path, shownPath);
  return head === null ? readDocument(path, levels, shownPath) : readLines(path, head, levels, shownPath);
}

function readDocument(path: string, levels: readonly Level[], shownPath: string): OpenReport {
  const text = readTextFile(path, { code, capBytes: reportCapBytes, shownPath });
  refuseForeign(text, shownPath);
  const { value, at } = documentIn(parseJsonText(text, code, shownPath), shownPath);
  const { cells: raw, ...rest } = value as { cells?: unknown };
  const report = checkDocument(rest, levels, shownPath, at);
  if (!Array.isArray(raw)) throw invalid(`${shownPath} has no list of cells`, shownPath, `${at}.cells`);
  const check = cellCheck(report, levels, shownPath);
  const groups = new Map<string, { first: CellResult; members: unknown[] }>();
  for (const [index, cell] of raw.entries()) {
    const result = check(cell, `${at}.cells[${index}]`);
    const name = groupName(result);
    const group = groups.get(name);
    // Unchanged: a later version may have added members.
    if (group === undefined) groups.set(name, { first: result, members: [cell] });
    else group.members.push(cell);
  }
  const cells: CellReader = function* (filter) {
    for (const { first, members } of groups.values())
      if (isMeant(first, filter)) for (const cell of members) yield JSON.stringify(cell);
  };
  return { report, cells };
}

/** A file of another kind is reported as a whole, without a line. */
function refuseForeign(text: string, shownPath: string): void {
  const [first = ""] = /\S/.exec(text) ?? [];
  if (first === "" || first === "{" || first === "[" || parseStrictJson(text).ok) return;
  const hint = "only reports of format json and ndjson can be read";
  throw new UserError(code, `${shownPath} is not a JSON or NDJSON report`, { path: shownPath, hint });
}

/** What `run --json` prints has the report inside. */
function documentIn(value: unknown, shownPath: string): { value: object; at: string } {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    const { report, subjects } = value as { report?: unknown; subjects?: unknown };
    if (subjects === undefined && typeof report === "object" && report !== null)
      return { value: report, at: "$.report" };
    return { value, at: "$" };
  }
  throw invalid(`${shownPath} is not a report`, shownPath, "$", example);
}

/** The line with the report of an `ndjson` file; null where the file is one JSON document. */
function firstLine(path: string, shownPath: string): object | null {
  if (/\.json$/i.test(path)) return null;
  for (const line of streamLines(path, shownPath)) {
    const read = parseStrictJson(line);
    // The first line of a multi-line document is not JSON.
    if (!read.ok && !isNdjson(path)) return null;
    refuseForeign(line, shownPath);
    const value = read.ok ? read.value : parseLine(line, 1, shownPath);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    // A whole document on one line has its cells in it.
    const { cells, report } = value as { cells?: unknown; report?: unknown };
    return cells === undefined && report === undefined ? value : null;
  }
  return null;
}

function isNdjson(path: string): boolean {
  return /\.(ndjson|jsonl)$/i.test(path);
}

/** Every line is checked once; formats and comparisons then read them again, as often as they have subjects. */
function readLines(path: string, head: object, levels: readonly Level[], shownPath: string): OpenReport {
  const report = checkDocument(head, levels, shownPath, "$");
  const check = cellCheck(report, levels, shownPath);
  let count = 0;
  for (const { line, number } of cellLines(path, shownPath)) {
    check(parseLine(line, number, shownPath), `line ${number}`);
    count++;
  }
  refuseCut(report, count, shownPath);
  const cells: CellReader = function* (filter) {
    for (const { line } of cellLines(path, shownPath))
      if (filter === undefined || isMeant(parseCell(line), filter)) yield line;
  };
  return { report, cells };
}

function* cellLines(path: string, shownPath: string): Generator<{ line: string; number: number }> {
  let number = 0;
  for (const line of streamLines(path, shownPath))
    if (++number > 1 && line.trim() !== "") yield { line, number };
}

/** A truncated file of lines still parses: only the counts show that cells are missing. */
function refuseCut({ subjects }: ReportDocument, count: number, shownPath: string): void {
  const expected = subjects.reduce((sum, { counts }) => sum + counts.total + counts.invalid, 0);
  if (count === expected) return;
  const message = `${shownPath} has ${count} cells, and its subjects count ${expected}: it is not complete`;
  throw invalid(message, shownPath, "$.subjects", "write or copy the report again");
}

function parseLine(line: string, number: number, shownPath: string): unknown {
  const read = parseStrictJson(line);
  if (read.ok) return read.value;
  const fault = findJsonFault(line);
  const message =
    fault === null
      ? `${shownPath}: line ${number}: ${read.problem}`
      : `${shownPath}: invalid JSON at line ${number}, column ${fault.column}: ${fault.problem}`;
  throw invalid(message, shownPath, `line ${number}`);
}

/** Lines of a file of any size, one at a time. */
export function* streamLines(path: string, shownPath: string): Generator<string> {
  const file = openFile(path, shownPath);
  try {
    const chunk = Buffer.allocUnsafe(1 << 16);
    const decoder = new TextDecoder("utf-8", { fatal: true });
    let waiting: string[] = [];
    let waitingChars = 0;
    for (let count = -1; count !== 0; ) {
      count = readSync(file, chunk, 0, chunk.length, null);
      const [first = "", ...others] = decoder
        .decode(chunk.subarray(0, count), { stream: count > 0 })
        .split("\n");
      waiting.push(first);
      waitingChars += first.length;
      if (waitingChars > reportCapBytes)
        throw invalid(`${shownPath} has a line longer than 500 MiB`, shownPath, "$");
      for (const next of others) {
        yield waiting.join("");
        waiting = [next];
        waitingChars = next.length;
      }
    }
    if (waitingChars > 0) yield waiting.join("");
  } catch (error) {
    if (error instanceof TypeError) throw invalid(`${shownPath} is not UTF-8 text`, shownPath, "$");
    throw error;
  } finally {
    closeSync(file);
  }
}

function openFile(path: string, shownPath: string): number {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK); // a pipe without a writer must not block
  } catch (error) {
    const { code: reason } = error as NodeJS.ErrnoException;
    const why = reason === "ENOENT" || reason === "ENOTDIR" ? "does not exist" : `cannot be read (${reason})`;
    throw invalid(`${shownPath} ${why}`, shownPath, "$");
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new UserError(code, `${shownPath} is not a regular file`, { path: shownPath, hint: example });
}

function checkDocument(
  value: object,
  levels: readonly Level[],
  shownPath: string,
  at: string,
): ReportDocument {
  refuseOthers(value, shownPath, at);
  const report = checked(value, ReportDocument, shownPath, at);
  const known = new Set(levels.map(({ name }) => name));
  for (const [index, { level }] of report.suites.entries())
    if (!known.has(level))
      throw invalid(
        `${shownPath} has a suite of level ${level}, which this version does not know`,
        shownPath,
        `${at}.suites[${index}].level`,
        `levels: ${[...known].join(", ")}`,
      );
  return report;
}

/** Names the kind of a document that is not a readable report: "$.run is missing" would not help there. */
function refuseOthers(value: object, shownPath: string, at: string): void {
  const { schemaVersion, command, error, run } = value as Record<string, unknown>;
  if (typeof command === "string" && run === undefined && error === undefined && !reporting.has(command))
    throw invalid(`${shownPath} is output of ${command}, not a report`, shownPath, `${at}.command`, example);
  if (error !== undefined && run === undefined)
    throw invalid(
      `${shownPath} holds an error of ${command}, not a report`,
      shownPath,
      `${at}.error`,
      "fix the error and run it again",
    );
  if (schemaVersion === 2) return;
  if (schemaVersion === undefined) throw invalid(`${shownPath} is not a report`, shownPath, at, example);
  const wrong = `${shownPath} has schema version ${JSON.stringify(schemaVersion)}; this version of eval-skills reads version 2`;
  throw invalid(wrong, shownPath, `${at}.schemaVersion`, "run the evaluation again to get a new report");
}

/** The commands whose earlier documents were reports. */
const reporting: ReadonlySet<string> = new Set(["test", "eval", "run", "trigger", "agent eval", "planbench"]);

/** Checks a cell, its details by the schema of its level. */
function cellCheck(report: ReportDocument, levels: readonly Level[], shownPath: string) {
  const schemas = new Map(levels.map(({ name, details }) => [name, details]));
  const suites = new Set(report.suites.map(({ id, level }) => JSON.stringify([level, id])));
  const seen = new Map<string, string>();
  return (value: unknown, at: string): CellResult => {
    const cell = checked(value, CellResult, shownPath, at);
    if (!suites.has(JSON.stringify([cell.level, cell.suite])))
      throw invalid(
        `${shownPath}: no suite ${cell.suite} of level ${cell.level} is listed`,
        shownPath,
        below(at, "$.suite"),
      );
    const schema = schemas.get(cell.level);
    // A cell without an answer may have no details.
    if (schema !== undefined && cell.cause === null)
      checked(cell.details, schema, shownPath, below(at, "$.details"));
    // A cell that is there twice would count twice.
    const name = JSON.stringify([groupName(cell), cell.caseId, cell.trial]);
    const first = seen.get(name);
    if (first !== undefined)
      throw invalid(
        `${shownPath} has two cells for trial ${cell.trial} of ${cell.caseId} (${subjectName(cell)}), the first at ${first}`,
        shownPath,
        at,
        "leave the one that counts",
      );
    seen.set(name, at);
    return cell;
  };
}

function checked<Value>(value: unknown, schema: z.ZodType<Value>, shownPath: string, at: string): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const { reason, jsonPath } = zodProblem(read.error, value);
  const path = below(at, jsonPath);
  throw invalid(`${shownPath}: ${path} ${reason}`, shownPath, path);
}

/** A path inside another: `$.cells[3].status`, or `line 4: $.status`. */
function below(at: string, jsonPath: string): string {
  return at.includes("$") ? `${at}${jsonPath.slice(1)}` : `${at}: ${jsonPath}`;
}

function invalid(message: string, path: string, jsonPath: string, hint?: string): UserError {
  return new UserError(code, message, { path, jsonPath, hint });
}

const example = "`eval-skills eval` writes its report to ./reports/eval-result.json";

function groupName(cell: CellResult): string {
  return JSON.stringify([cell.level, cell.suite, subjectName(cell)]);
}

function isMeant(cell: CellResult, filter: CellFilter = {}): boolean {
  const { level = cell.level, suite = cell.suite, subject = subjectName(cell) } = filter;
  return level === cell.level && suite === cell.suite && subject === subjectName(cell);
}
