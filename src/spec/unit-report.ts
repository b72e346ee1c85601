import * as z from "zod";
import type { ReportFile, SkillReportWithCells } from "../contract/report.ts";
import { unrecordedRun } from "../contract/unrecorded-run.ts";
import { checkReport } from "./check-report.ts";
import { BareReports, UnitDocument } from "./unit-report-schema.ts";

const RunDocument = z.object({ report: UnitDocument });

/** A document of `eval` or `run` as a report, filled up with what it leaves out. */
export function unitReport(value: object, shownPath: string): ReportFile {
  // What `run --json` prints has the report inside.
  const document = isInside(value)
    ? checkReport(value, RunDocument, shownPath).report
    : checkReport(value, UnitDocument, shownPath);
  const { reports: raw } = (isInside(value) ? value.report : value) as { reports: unknown[] };
  return { ...document, reports: withOwnMembers(document.reports, raw) } as ReportFile;
}

/** A bare list of skill reports, whose run is unrecorded. */
export function bareReport(value: readonly unknown[], shownPath: string): ReportFile {
  const reports = withOwnMembers(checkReport(value, BareReports, shownPath), value);
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

/** Cells as their file has them, in its order and with members of its own, filled up with what it leaves out. */
function withOwnMembers(reports: SkillReportWithCells[], raw: readonly unknown[]): SkillReportWithCells[] {
  for (const [at, { taskResults }] of reports.entries()) {
    const cells = (raw[at] as { taskResults?: object[] }).taskResults;
    for (const [place, cell] of taskResults.entries()) taskResults[place] = { ...cells?.[place], ...cell };
  }
  return reports;
}

function isInside(value: object): value is { report: unknown } {
  const { command, reports, report } = value as Record<string, unknown>;
  return command === "run" && reports === undefined && report !== undefined;
}
