import type { Format, ReportFormat } from "../../contract/format.ts";

/** How each format is loaded: only when it is needed. */
export const formatTable: Readonly<Record<ReportFormat, () => Promise<Format>>> = {
  json: async () => (await import("./json.ts")).jsonFormat,
  ndjson: async () => (await import("./ndjson.ts")).ndjsonFormat,
  markdown: async () => (await import("./markdown.ts")).markdownFormat,
  html: async () => (await import("./html.ts")).htmlFormat,
  csv: async () => (await import("./csv.ts")).csvFormat,
  junit: async () => (await import("./junit.ts")).junitFormat,
  terminal: async () => (await import("./terminal.ts")).terminalFormat,
  github: async () => (await import("./github.ts")).githubFormat,
  sarif: async () => (await import("./sarif.ts")).sarifFormat,
};

/** The formats by name, each once. */
export function loadFormats(
  names: readonly string[],
  table: Readonly<Record<string, () => Promise<Format>>> = formatTable,
): Promise<Format[]> {
  return Promise.all([...new Set(names)].flatMap((name) => table[name]?.() ?? []));
}
