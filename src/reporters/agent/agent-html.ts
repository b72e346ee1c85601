import type { AgentReport, AgentReporter, AgentResultReader } from "../../contract/agent-report.ts";
import { readPageTemplate } from "../html-template.ts";
import { escapeHtml, escapeJson } from "../html-text.ts";
import { resultsPageData } from "../page-data.ts";
import { plainAgentReport } from "./agent-html-plain.ts";

/** The report on agent runs as one page for browsers: the page of every other report, which draws it by its command. */
export const agentHtmlReporter: AgentReporter = { format: "html", extension: "html", render };

function* render(report: AgentReport, results: AgentResultReader): Generator<string> {
  const { totals, run } = report;
  const template = readPageTemplate();
  yield template.beforeTitle;
  yield escapeHtml(`${totals.pass} of ${totals.cells} passed: eval-skills agent report ${run.id}`);
  yield template.beforePlain;
  yield* plainAgentReport(report, results);
  yield template.beforeReport;
  for (const piece of resultsPageData(report, results)) yield escapeJson(piece);
  yield template.end;
}
