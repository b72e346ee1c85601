import type { DiagnosticCode } from "./diagnostic-rules.ts";
import type { SkillKind } from "./skill-kind.ts";

/** How bad a finding of `doctor` is, the worst first. */
export const diagnosticSeverities = ["error", "warning"] as const;
export type DiagnosticSeverity = (typeof diagnosticSeverities)[number];

/** How strictly a format is read: every breach is an error, or what can be loaded is loaded. */
export const profiles = ["strict", "lenient"] as const;
export type Profile = (typeof profiles)[number];

/** One thing that is wrong with the files of a skill: what, where, and how to fix it. */
export interface Diagnostic {
  /** Stable for ever; a retired code is not used again. */
  code: DiagnosticCode;
  severity: DiagnosticSeverity;
  /** Null where the kind of the folder is unknown. */
  kind: SkillKind | null;
  /** The id, or the folder's name where there is none. */
  skill: string;
  /** Relative to the folder of the skill, `/`-separated, `.` for the folder as a whole; in a report as the user would name it. */
  file: string;
  /** From 1; null where it is about the whole file. */
  line: number | null;
  /** From 1, in UTF-16 code units. */
  column: number | null;
  /** The place inside a JSON or YAML file, such as `$.meta.id`. */
  jsonPath: string | null;
  message: string;
  hint: string;
}

/** What a finding says, without the place that its words may begin with, for those who name the place themselves. */
export function messageWithoutPlace({
  file,
  line,
  message,
}: Pick<Diagnostic, "file" | "line" | "message">): string {
  const place = [`${file}:${line}: `, `${file}: `].find((start) => message.startsWith(start)) ?? "";
  return message.slice(place.length);
}
