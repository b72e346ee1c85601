import type { Format } from "./format.ts";

// biome-ignore-start lint/style/noRestrictedImports: the one table of formats; nothing is loaded until a format is asked for
/** Every format a report can be written in. A new one is one file and one line here. */
export const formatTable = {
  json: async () => (await import("../reporters/formats/json.ts")).jsonFormat,
  ndjson: async () => (await import("../reporters/formats/ndjson.ts")).ndjsonFormat,
  markdown: async () => (await import("../reporters/formats/markdown.ts")).markdownFormat,
  html: async () => (await import("../reporters/formats/html.ts")).htmlFormat,
  csv: async () => (await import("../reporters/formats/csv.ts")).csvFormat,
  junit: async () => (await import("../reporters/formats/junit.ts")).junitFormat,
  terminal: async () => (await import("../reporters/formats/terminal.ts")).terminalFormat,
  github: async () => (await import("../reporters/formats/github.ts")).githubFormat,
  sarif: async () => (await import("../reporters/formats/sarif.ts")).sarifFormat,
} satisfies Record<string, () => Promise<Format>>;
// biome-ignore-end lint/style/noRestrictedImports: as above

export type ReportFormat = keyof typeof formatTable;
export const reportFormats = Object.keys(formatTable) as [ReportFormat, ...ReportFormat[]];

/** The formats by name, each once. */
export function loadFormats(
  names: readonly string[],
  table: Readonly<Record<string, () => Promise<Format>>> = formatTable,
): Promise<Format[]> {
  return Promise.all([...new Set(names)].flatMap((name) => table[name]?.() ?? []));
}
