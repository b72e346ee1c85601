import { setImmediate as otherWork } from "node:timers/promises";
import type { FixedSkill } from "../../contract/findings.ts";
import type { SkillKind } from "../../contract/skill-facts.ts";
import { fixableCodes, planFixes } from "../../lint/fix/plan-fixes.ts";
import { writeFixes } from "../../lint/fix/write-fixes.ts";
import { describeFound, facesOf } from "../../skills/describe-found.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import type { DoctorReport } from "./doctor-report.ts";
import { foldersToExamine, matchesKinds, type WhereToLook } from "./folders-to-examine.ts";

interface FixRequest extends WhereToLook {
  /** Which kinds are fixed; none means all. */
  kinds: readonly SkillKind[];
}

/** Fixes in skills what can be fixed without asking anybody, and says what was written. */
export async function fixSkills(request: FixRequest): Promise<FixedSkill[]> {
  const fixed: FixedSkill[] = [];
  for (const found of await foldersToExamine(request)) {
    const described = await describeFound(found, "lenient");
    await otherWork(); // a signal has to be heard between two of thousands
    if (!matchesKinds(facesOf(described), request.kinds)) continue;
    const { folder } = described;
    const plan = await planFixes(folder);
    if (plan.length > 0) fixed.push({ folder: found.shown, ...writeFixes(folder, plan) });
  }
  return fixed.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

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
