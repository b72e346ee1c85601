import type { DiagnosticCode } from "./diagnostic-rules.ts";
import type { SkillKind } from "./skill-facts.ts";

/** How bad a finding is, the worst first. Apart from audit.ts, which needs zod and `--help` does not. */
export const severities = ["critical", "high", "medium", "low", "info"] as const;
export type Severity = (typeof severities)[number];

/** What `--fail-on` takes; nobody fails on what is only for information. */
export const failSeverities = ["critical", "high", "medium", "low"] as const satisfies readonly Severity[];

/** The formats an audit can be written in. */
export const auditFormats = ["text", "json", "sarif"] as const;
export type AuditFormat = (typeof auditFormats)[number];

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
  /** The path inside a JSON or YAML file, such as `$.meta.id`. */
  jsonPath: string | null;
  message: string;
  hint: string;
}

/** The message of a finding without the location it may begin with, for callers that show the location themselves. */
export function messageWithoutLocation({
  file,
  line,
  message,
}: Pick<Diagnostic, "file" | "line" | "message">): string {
  const prefix = [`${file}:${line}: `, `${file}: `].find((start) => message.startsWith(start)) ?? "";
  return message.slice(prefix.length);
}

/** What `doctor` checks on a machine, in the order of its report. */
export const diagnosisTopics = ["containment", "programs", "store", "project", "machine"] as const;
type DiagnosisTopic = (typeof diagnosisTopics)[number];

/** One line of `doctor` about this machine: what was checked, its state, and how to fix it. */
export interface Diagnosis {
  topic: DiagnosisTopic;
  /** Such as `python3` or `free space`. */
  name: string;
  /** `note`: nothing is broken, and it is worth knowing. */
  state: "ok" | "note" | "bad";
  /** What was found, in a line. */
  found: string;
  /** What to type or change to fix it; null where there is nothing to fix. */
  fix: string | null;
}

/** A repair of one file of a skill: mechanical, and nothing is lost by it. */
export interface Fix {
  /** Relative to the folder of the skill, `/`-separated. */
  file: string;
  /** What it is called afterwards. */
  newFile: string;
  /** The whole text, byte order mark and line ends included. */
  before: string;
  after: string;
  /** What is no longer wrong then, in code-unit order. */
  codes: DiagnosticCode[];
}

/** What became of the repairs of one skill. */
export interface FixedSkill {
  /** As the user would name it. */
  folder: string;
  fixes: Fix[];
  /** What could not be written, and why. */
  unwritten: { fix: Fix; problem: string }[];
}
