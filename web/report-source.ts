import type { AgentReportFile } from "../src/contract/agent-report.ts";
import type { PlanReportFile } from "../src/contract/planbench-report.ts";
import type { ReportFile } from "../src/contract/report.ts";
import type { TriggerReportFile } from "../src/contract/trigger-report.ts";

/** What the page can show; the command that made it tells which it is. */
export type ShownReport = ReportFile | TriggerReportFile | AgentReportFile | PlanReportFile;

/** Hands a report to the page, once or again whenever there is more to show. */
export type ReportSource = (show: (report: ShownReport) => void) => void;

/** The report that lies in the page itself. */
export const embeddedReport: ReportSource = (show) => {
  const text = document.getElementById("report")?.textContent;
  if (text === null || text === undefined) throw new Error("the page holds no report");
  show(JSON.parse(text) as ShownReport);
};
