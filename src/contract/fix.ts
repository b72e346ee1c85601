import type { DiagnosticCode } from "./diagnostic-rules.ts";

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
