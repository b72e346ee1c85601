import * as z from "zod";
import { zodProblem } from "../base/zod-problem.ts";
import type { ReportFile, SkillReportWithCells } from "../contract/report.ts";
import { unrecordedRun } from "../contract/unrecorded-run.ts";
import { UserError } from "../contract/user-error.ts";
import { parseJsonText } from "./read-json-file.ts";
import { BareReports, ReportDocument } from "./read-report-schema.ts";
import { readTextFile } from "./read-text-file.ts";

/** A little less than the longest text Node can hold. A hundred thousand results take about a tenth of it. */
const reportCapBytes = 500 * 1024 * 1024;
const code = "report-invalid";
const RunDocument = z.object({ report: ReportDocument });

/** The report in a file: a document of `eval` or `run`, or a bare list of skill reports, whose run is then unrecorded. */
export function readReport(path: string, shownPath: string = path): ReportFile {
  const value = parseJsonText(
    readTextFile(path, { code, capBytes: reportCapBytes, shownPath }),
    code,
    shownPath,
  );
  if (Array.isArray(value)) {
    const reports = check(value, BareReports, shownPath);
    return bareReport(withOwnMembers(reports, value));
  }
  refuseOthers(value, shownPath);
  // What `run --json` prints has the report inside.
  const document = isInside(value)
    ? check(value, RunDocument, shownPath).report
    : check(value, ReportDocument, shownPath);
  const { reports: raw } = (isInside(value) ? value.report : value) as { reports: unknown[] };
  return { ...document, reports: withOwnMembers(document.reports, raw) } as ReportFile;
}

/** Cells as their file has them, in its order and with members of its own, filled up with what it leaves out. */
function withOwnMembers(reports: SkillReportWithCells[], raw: readonly unknown[]): SkillReportWithCells[] {
  for (const [at, { taskResults }] of reports.entries()) {
    const cells = (raw[at] as { taskResults?: object[] }).taskResults;
    for (const [place, cell] of taskResults.entries()) taskResults[place] = { ...cells?.[place], ...cell };
  }
  return reports;
}

function bareReport(reports: SkillReportWithCells[]): ReportFile {
  const sum = (count: "pass" | "total") => reports.reduce((total, { counts }) => total + counts[count], 0);
  const trials = reports.map(({ taskResults }) =>
    taskResults.reduce((most, { trial }) => Math.max(most, trial), 1),
  );
  return {
    schemaVersion: 1,
    command: "eval",
    tool: { name: "eval-skills", version: "" },
    run: { ...unrecordedRun, runs: trials.reduce((most, trial) => Math.max(most, trial), 1) },
    passed: sum("pass"),
    total: sum("total"),
    gate: { minCompletion: 0, on: "point", enforced: false, passed: true, below: [] },
    reports,
    triggering: [],
    warnings: [],
    files: [],
    exitCode: 0,
  };
}

const laterCommands: readonly unknown[] = ["trigger", "agent eval", "planbench"];

/** Says what a document is, where it is not a report we can read: "$.run is missing" would not help there. */
function refuseOthers(value: unknown, shownPath: string): void {
  const refuse = (message: string, jsonPath: string, hint?: string): never => {
    throw new UserError(code, `${shownPath} ${message}`, { path: shownPath, jsonPath, hint });
  };
  if (value === null || typeof value !== "object")
    refuse("is neither a report nor a list of skill reports", "$", example);
  const { schemaVersion, command, error, reports } = value as Record<string, unknown>;
  if (command === undefined) refuse("has no $.command, so it is not a report", "$.command", example);
  if (laterCommands.includes(command))
    refuse(`is a report of ${command}, which this version cannot read`, "$.command");
  if (command !== "eval" && command !== "run")
    refuse(`has the command ${JSON.stringify(command)}, which makes no reports`, "$.command", example);
  if (schemaVersion !== 1)
    refuse(
      `has the schema version ${JSON.stringify(schemaVersion)}; this version reads 1`,
      "$.schemaVersion",
    );
  if (reports === undefined && error !== undefined)
    refuse(`holds an error of ${command}, not a report`, "$.error", "mend the error and run it again");
}

function isInside(value: unknown): value is { report: unknown } {
  const { command, reports, report } = value as Record<string, unknown>;
  return command === "run" && reports === undefined && report !== undefined;
}

const example = "`eval-skills eval` writes its report to ./reports/eval-result.json";

function check<Value>(value: unknown, schema: z.ZodType<Value>, shownPath: string): Value {
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const problem = zodProblem(read.error, value);
  throw new UserError(code, `${shownPath}: ${problem.message}`, {
    path: shownPath,
    jsonPath: problem.jsonPath,
  });
}
