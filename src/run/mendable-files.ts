import type { DoctorReport } from "../contract/doctor-report.ts";
import { mendableCodes, planFixes } from "../skills/fix/plan-fixes.ts";
import { SkillFolder } from "../skills/folder/skill-folder.ts";
import { foldersToExamine, type WhereToLook } from "./folders-to-examine.ts";

/** What `doctor --fix` could take away. */
export interface MendableFiles {
  files: number;
  /** In code-unit order. */
  codes: string[];
}

/** Of more findings than this nobody mends one after the other, and to try each takes its time. */
const fewFindings = 100;

/** Tries what could be mended of what was found. Nothing is written. */
export async function mendableFiles(report: DoctorReport, where: WhereToLook): Promise<MendableFiles> {
  const { counts, skills } = report;
  const isMendable = skills.filter(({ diagnostics }) =>
    diagnostics.some(({ code }) => mendableCodes.has(code)),
  );
  if (isMendable.length === 0 || counts.errors + counts.warnings > fewFindings)
    return { files: 0, codes: [] };
  const asked = new Set(isMendable.map(({ folder }) => folder));
  const folders = (await foldersToExamine(where)).filter(({ shown }) => asked.has(shown));
  const plans = await Promise.all(
    folders.map(({ dir, manifestFile }) => planFixes(new SkillFolder(dir, manifestFile))),
  );
  const codes = new Set<string>(plans.flat().flatMap((fix) => fix.codes));
  return { files: plans.flat().length, codes: [...codes].sort() };
}
