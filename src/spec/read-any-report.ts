import type { AgentReportFile } from "../contract/agent-report.ts";
import type { PlanReportFile } from "../contract/planbench-report.ts";
import type { ReportFile } from "../contract/report.ts";
import type { TriggerReportFile } from "../contract/trigger-report.ts";
import { agentReport } from "./agent-report.ts";
import { planReport } from "./plan-report.ts";
import { readReportDocument } from "./read-report-document.ts";
import { triggerReport } from "./trigger-report.ts";
import { bareReport, unitReport } from "./unit-report.ts";

/** What stands in a report file; its `command` tells which it is. */
export type AnyReport = ReportFile | TriggerReportFile | AgentReportFile | PlanReportFile;

/** The report in a file: a document of `eval`, `run`, `trigger`, `agent eval` or `planbench`, or a bare list of skill reports. */
export function readAnyReport(path: string, shownPath: string = path): AnyReport {
  const { kind, value } = readReportDocument(path, shownPath);
  switch (kind) {
    case "bare":
      return bareReport(value, shownPath);
    case "trigger":
      return triggerReport(value, shownPath);
    case "agent":
      return agentReport(value, shownPath);
    case "planbench":
      return planReport(value, shownPath);
    case "unit":
      return unitReport(value, shownPath);
    default:
      return kind satisfies never;
  }
}
