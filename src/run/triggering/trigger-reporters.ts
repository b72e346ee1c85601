import type { ReportFormat } from "../../contract/report-format.ts";
import type { TriggerReporter } from "../../contract/trigger-report.ts";

/** How each format of a report on triggering is written. Loaded where it is asked for. */
const reporters: Record<ReportFormat, () => Promise<TriggerReporter>> = {
  json: async () => (await import("../../reporters/trigger-json.ts")).triggerJsonReporter,
  markdown: async () => (await import("../../reporters/trigger-markdown.ts")).triggerMarkdownReporter,
  html: async () => (await import("../../reporters/trigger-html.ts")).triggerHtmlReporter,
  csv: async () => (await import("../../reporters/trigger-csv.ts")).triggerCsvReporter,
  junit: async () => (await import("../../reporters/trigger-junit.ts")).triggerJunitReporter,
};

/** The reporter on triggering for this format. */
export function triggerReporterFor(format: ReportFormat): Promise<TriggerReporter> {
  return reporters[format]();
}

/** The reporters on triggering for these formats, each once. */
export function triggerReportersFor(formats: readonly ReportFormat[]): Promise<TriggerReporter[]> {
  return Promise.all([...new Set(formats)].map(triggerReporterFor));
}
