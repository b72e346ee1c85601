import { fixableCodes, planFixes } from "../../lint/fix/plan-fixes.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import type { DoctorReport } from "./doctor-report.ts";
import { foldersToExamine, type WhereToLook } from "./folders-to-examine.ts";

/** What `doctor --fix` could take away. */
export interface FixableFiles {
  files: number;
  /** In code-unit order. */
  codes: string[];
}

/** Of more findings than this nobody fixes one after the other, and to try each takes its time. */
const fewFindings = 100;

/** Tries what could be fixed of what was found. Nothing is written. */
export async function fixableFiles(report: DoctorReport, where: WhereToLook): Promise<FixableFiles> {
  const { counts, skills } = report;
  const fixableSkills = skills.filter(({ diagnostics }) =>
    diagnostics.some(({ code }) => fixableCodes.has(code)),
  );
  if (fixableSkills.length === 0 || counts.errors + counts.warnings > fewFindings)
    return { files: 0, codes: [] };
  const asked = new Set(fixableSkills.map(({ folder }) => folder));
  const folders = (await foldersToExamine(where)).filter(({ shown }) => asked.has(shown));
  const plans = await Promise.all(
    folders.map(({ dir, manifestFile }) => planFixes(new SkillFolder(dir, manifestFile))),
  );
  const codes = new Set<string>(plans.flat().flatMap((fix) => fix.codes));
  return { files: plans.flat().length, codes: [...codes].sort() };
}
