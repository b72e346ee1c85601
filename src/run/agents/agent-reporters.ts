import type { AgentReporter } from "../../contract/agent-report.ts";
import type { ReportFormat } from "../../contract/report-format.ts";

/** How each format of a report on agent runs is written. Loaded where it is asked for. */
const reporters: Record<ReportFormat, () => Promise<AgentReporter>> = {
  json: async () => (await import("../../reporters/agent/agent-json.ts")).agentJsonReporter,
  markdown: async () => (await import("../../reporters/agent/agent-markdown.ts")).agentMarkdownReporter,
  html: async () => (await import("../../reporters/agent/agent-html.ts")).agentHtmlReporter,
  csv: async () => (await import("../../reporters/agent/agent-csv.ts")).agentCsvReporter,
  junit: async () => (await import("../../reporters/agent/agent-junit.ts")).agentJunitReporter,
};

/** The reporter on agent runs for this format. */
export function agentReporterFor(format: ReportFormat): Promise<AgentReporter> {
  return reporters[format]();
}

/** The reporters on agent runs for these formats, each once. */
export function agentReportersFor(formats: readonly ReportFormat[]): Promise<AgentReporter[]> {
  return Promise.all([...new Set(formats)].map(agentReporterFor));
}
