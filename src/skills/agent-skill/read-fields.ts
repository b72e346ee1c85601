import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";
import type { DiagnosticLocation, Diagnostics } from "../../contract/diagnostics.ts";
import type { DiagnosticSeverity } from "../../contract/findings.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import type { FrontmatterFault } from "./parse-frontmatter.ts";
import { type InstructionsReading, readFrontmatter } from "./read-frontmatter.ts";

/** The fields of a `SKILL.md`, for checks of single fields. */
export interface AgentSkillFields {
  /** The name of the file. */
  file: string;
  /** Every scalar as the text that was written. */
  fields: Readonly<Record<string, unknown>>;
  /** The location of a field; the beginning of the file if it is missing. */
  locate: (steps: readonly string[]) => DiagnosticLocation;
}

/** Reads the fields of a `SKILL.md` and says what is wrong with it as a text; null where no fields can be read. */
export async function readFields(
  folder: SkillFolder,
  file: string,
  diagnostics: Diagnostics,
): Promise<AgentSkillFields | null> {
  const read = await readFrontmatter(folder, file);
  if (!read.ok) {
    reportUnreadable(read.problem, file, diagnostics);
    return null;
  }
  const { fields, locate, faults } = read.frontmatter;
  for (const { kind, line, column, problem, hint } of faults) {
    const { code, severity } = findings[kind];
    diagnostics.add(code, { file, line, column }, `${file}:${line}: ${problem}`, { severity, hint });
  }
  return fields === null ? null : { file, fields, locate: (steps) => ({ file, ...locate(steps) }) };
}

const findings: Record<FrontmatterFault["kind"], { code: DiagnosticCode; severity?: DiagnosticSeverity }> = {
  syntax: { code: "SKM02", severity: "error" }, // nothing could be made of it, in whatever profile
  recovered: { code: "SKM02" },
  construct: { code: "SKM03" },
  discouraged: { code: "SKM03", severity: "warning" },
};

type Unreadable = Extract<InstructionsReading, { ok: false }>["problem"];

function reportUnreadable(problem: Unreadable, file: string, diagnostics: Diagnostics): void {
  const { words, hint } = unreadable[problem];
  diagnostics.add("SKM01", { file, line: 1, column: 1 }, `${file}: ${words}`, { hint });
}

const unreadable: Record<Unreadable, { words: string; hint?: string }> = {
  "no beginning": { words: "no frontmatter block" },
  "late beginning": {
    words: "no frontmatter block",
    hint: "start the file with a line that is exactly ---, with nothing before it",
  },
  "no end": { words: "no frontmatter block", hint: "end the block with a line that is exactly ---" },
  "not UTF-8": { words: "not UTF-8", hint: "save it as UTF-8" },
  "too large": { words: "larger than 4 MiB", hint: "move detail to references/" },
  outside: { words: "points outside the folder", hint: "copy the file into the skill folder" },
  missing: { words: "broken symlink", hint: "replace it with the file" },
  unreadable: { words: "cannot be read", hint: "make it readable" },
  "not a regular file": { words: "not a regular file", hint: "replace it with a regular file" },
};
