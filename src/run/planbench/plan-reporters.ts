import type { PlanReporter } from "../../contract/planbench-report.ts";
import type { ReportFormat } from "../../contract/report-format.ts";

/** How each format of a report on a bench is written. Loaded where it is asked for. */
const reporters: Record<ReportFormat, () => Promise<PlanReporter>> = {
  json: async () => (await import("../../reporters/planbench/plan-json.ts")).planJsonReporter,
  markdown: async () => (await import("../../reporters/planbench/plan-markdown.ts")).planMarkdownReporter,
  html: async () => (await import("../../reporters/planbench/plan-html.ts")).planHtmlReporter,
  csv: async () => (await import("../../reporters/planbench/plan-csv.ts")).planCsvReporter,
  junit: async () => (await import("../../reporters/planbench/plan-junit.ts")).planJunitReporter,
};

/** The reporter on benches for this format. */
export function planReporterFor(format: ReportFormat): Promise<PlanReporter> {
  return reporters[format]();
}

/** The reporters on benches for these formats, each once. */
export function planReportersFor(formats: readonly ReportFormat[]): Promise<PlanReporter[]> {
  return Promise.all([...new Set(formats)].map(planReporterFor));
}
