/** Every format a report can be written in. `reporters/formats/load-formats.ts` knows how each is loaded. */
export const reportFormats = [
  "json",
  "ndjson",
  "markdown",
  "html",
  "csv",
  "junit",
  "terminal",
  "github",
  "sarif",
] as const;

export type ReportFormat = (typeof reportFormats)[number];
