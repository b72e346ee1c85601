import type { Reporter } from "../contract/report.ts";
import type { ReportFormat } from "../contract/report-format.ts";

/** How each format is written. Loaded where it is asked for: a page of HTML is of no use to who reads JSON. */
const reporters: Record<ReportFormat, () => Promise<Reporter>> = {
  json: async () => (await import("../reporters/json.ts")).jsonReporter,
  markdown: async () => (await import("../reporters/markdown.ts")).markdownReporter,
  html: async () => (await import("../reporters/html.ts")).htmlReporter,
  csv: async () => (await import("../reporters/csv.ts")).csvReporter,
  junit: async () => (await import("../reporters/junit.ts")).junitReporter,
};

/** The reporter for this format. */
export function reporterFor(format: ReportFormat): Promise<Reporter> {
  return reporters[format]();
}

/** The reporters for these formats, each once. */
export function reportersFor(formats: readonly ReportFormat[]): Promise<Reporter[]> {
  return Promise.all([...new Set(formats)].map(reporterFor));
}
