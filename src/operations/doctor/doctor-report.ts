import type { Diagnostic, DiagnosticSeverity, Profile } from "../../contract/findings.ts";
import type { SkillSource } from "../../contract/skill.ts";
import type { SkillKind, TokenCosts } from "../../contract/skill-facts.ts";

/** The formats in which `doctor` reports on skills. */
export const doctorFormats = ["text", "json", "sarif", "github"] as const;
export type DoctorFormat = (typeof doctorFormats)[number];

/** One folder that was examined. */
export interface ExaminedSkill {
  /** The name of the folder where no id could be read. */
  id: string;
  /** Null where the kind of the folder is unknown. */
  kind: SkillKind | null;
  kinds: readonly SkillKind[];
  /** As the user would name it. */
  folder: string;
  source: SkillSource;
  /** Null where it could not be loaded. */
  tokens: TokenCosts | null;
  errors: number;
  warnings: number;
  /** What was found in it, by file, line and code; files are relative to the folder. */
  diagnostics: readonly Diagnostic[];
  /** How many more there are: of one rule only the first thousand are listed. */
  unlisted: number;
}

export interface DoctorNote {
  code: "PTS07" | "PTS11";
  message: string;
  /** The ids of the skills it is about. */
  skills: readonly string[];
}

/** The result of examining skills. */
export interface DoctorReport {
  /** By folder. */
  skills: readonly ExaminedSkill[];
  /** What is worth knowing and wrong with nobody: not counted as findings. */
  notes: readonly DoctorNote[];
  counts: { skills: number; errors: number; warnings: number; clean: number };
  profile: Profile;
  failOn: DiagnosticSeverity;
  exitCode: 0 | 1;
}
