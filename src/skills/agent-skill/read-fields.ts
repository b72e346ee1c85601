import type { DiagnosticSeverity } from "../../contract/diagnostic.ts";
import type { DiagnosticCode } from "../../contract/diagnostic-rules.ts";
import type { DiagnosticPlace, Diagnostics } from "../../contract/diagnostics.ts";
import type { SkillFolder } from "../skill-folder.ts";
import type { FrontmatterFault } from "./parse-frontmatter.ts";
import { type InstructionsReading, readFrontmatter } from "./read-frontmatter.ts";

/** The fields of a `SKILL.md`, for those who judge them one by one. */
export interface AgentSkillFields {
  /** The name of the file. */
  file: string;
  /** Every scalar as the text that was written. */
  fields: Readonly<Record<string, unknown>>;
  /** Where a field stands; the beginning of the file where it is missing. */
  placeOf: (steps: readonly string[]) => DiagnosticPlace;
}

/** Reads the fields of a `SKILL.md` and tells what is wrong with it as a text; null where no fields can be read. */
export async function readFields(
  folder: SkillFolder,
  file: string,
  diagnostics: Diagnostics,
): Promise<AgentSkillFields | null> {
  const read = await readFrontmatter(folder, file);
  if (!read.ok) {
    tellUnreadable(read.problem, file, diagnostics);
    return null;
  }
  const { fields, placeOf, faults } = read.frontmatter;
  for (const { kind, line, column, problem, hint } of faults) {
    const { code, severity } = findings[kind];
    diagnostics.add(code, { file, line, column }, `${file}:${line}: ${problem}`, { severity, hint });
  }
  return fields === null ? null : { file, fields, placeOf: (steps) => ({ file, ...placeOf(steps) }) };
}

const findings: Record<FrontmatterFault["kind"], { code: DiagnosticCode; severity?: DiagnosticSeverity }> = {
  syntax: { code: "SKM02", severity: "error" }, // nothing could be made of it, in whatever profile
  mended: { code: "SKM02" },
  construct: { code: "SKM03" },
  unwise: { code: "SKM03", severity: "warning" },
};

type Unreadable = Extract<InstructionsReading, { ok: false }>["problem"];

function tellUnreadable(problem: Unreadable, file: string, diagnostics: Diagnostics): void {
  const message = `${file}: ${problem === "no beginning" || problem === "no end" ? "no frontmatter block" : problem}`;
  diagnostics.add("SKM01", { file, line: 1, column: 1 }, message, { hint: hints[problem] });
}

const hints: Partial<Record<Unreadable, string>> = {
  "no end": "end the block with a line that is exactly ---",
  "not UTF-8": "save it as UTF-8",
  "too large": "move detail to references/",
};
