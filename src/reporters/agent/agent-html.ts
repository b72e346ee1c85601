import type { AgentReport, AgentReporter, AgentResultReader } from "../../contract/agent-report.ts";
import { readPageTemplate } from "../html-template.ts";
import { escapeHtml, escapeJson } from "../html-text.ts";
import { plainAgentReport } from "./agent-html-plain.ts";
import { agentJsonReporter } from "./agent-json.ts";

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
  for (const piece of agentJsonReporter.render(report, results)) yield escapeJson(piece);
  yield template.end;
}
