/** The formats a report can be written in. Apart from config.ts, which needs zod and `--help` does not. */
export const reportFormats = ["json", "ndjson", "markdown", "html", "csv", "junit"] as const;
export type ReportFormat = (typeof reportFormats)[number];
