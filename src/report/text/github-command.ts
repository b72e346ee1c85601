import { visibleText } from "../../shared/text/visible-text.ts";

export interface Annotation {
  level: "error" | "warning" | "notice";
  title: string;
  /** Several are several lines. */
  message: string | readonly string[];
  /** Relative to the workspace. */
  file?: string | undefined;
  /** From 1; only with a file. */
  line?: number | null | undefined;
  column?: number | null | undefined;
}

/** An annotation as the workflow command of GitHub Actions that makes it; untrusted text cannot end it or start another. */
export function workflowCommand({ level, title, message, ...location }: Annotation): string {
  const lines = typeof message === "string" ? [message] : message;
  return `::${level} title=${escapeProperty(title)}${locationWords(location)}::${lines.map(escapeValue).join("%0A")}`;
}

function locationWords({ file, line, column }: Pick<Annotation, "file" | "line" | "column">): string {
  if (file === undefined) return "";
  const lineWords = line == null ? "" : `,line=${line}`;
  const columnWords = line == null || column == null ? "" : `,col=${column}`;
  return `,file=${escapeProperty(file)}${lineWords}${columnWords}`;
}

function escapeProperty(text: string): string {
  return escapeValue(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

/** Line breaks have become visible text by then. `##[` would start a command of the older syntax anywhere in a line. */
function escapeValue(text: string): string {
  return visibleText(text).replaceAll("%", "%25").replaceAll("##[", "## [");
}
