import type { ReportFile } from "../contract/report.ts";
import { UserError } from "../contract/user-error.ts";
import { readReportDocument } from "./read-report-document.ts";
import { bareReport, unitReport } from "./unit-report.ts";

/** The report in a file where only one of `eval` or `run` will do, or a bare list of skill reports. */
export function readReport(path: string, shownPath: string = path): ReportFile {
  const { kind, value } = readReportDocument(path, shownPath);
  if (kind === "bare") return bareReport(value, shownPath);
  if (kind === "unit") return unitReport(value, shownPath);
  throw new UserError(
    "report-invalid",
    `${shownPath} is a report of ${kind === "agent" ? "agent eval" : kind}, and one of eval or run is needed`,
    {
      path: shownPath,
      jsonPath: "$.command",
      hint: "`eval-skills eval` writes its report to ./reports/eval-result.json",
    },
  );
}
