import { setImmediate as otherWork } from "node:timers/promises";
import type { FixedSkill } from "../../contract/findings.ts";
import type { SkillKind } from "../../contract/skill-facts.ts";
import { fixableCodes, planFixes } from "../../lint/fix/plan-fixes.ts";
import { writeFixes } from "../../lint/fix/write-fixes.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { describeFound, usableKinds } from "../../skills/describe-found.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import type { DoctorReport } from "./doctor-report.ts";
import { foldersToExamine, matchesKinds, type WhereToLook } from "./folders-to-examine.ts";

interface FixRequest extends WhereToLook {
  /** Which kinds are fixed; none means all. */
  kinds: readonly SkillKind[];
}

/** Fixes what can be fixed automatically, and returns what was written. */
export async function fixSkills(request: FixRequest): Promise<FixedSkill[]> {
  const fixed: FixedSkill[] = [];
  for (const found of await foldersToExamine(request)) {
    const described = await describeFound(found, "lenient");
    await otherWork(); // lets signals be handled between thousands of folders
    if (!matchesKinds(usableKinds(described), request.kinds)) continue;
    const { folder } = described;
    const plan = await planFixes(folder);
    if (plan.length === 0) continue;
    const problem = leadsOut(found.dir, request.cwd);
    const written =
      problem === null
        ? writeFixes(folder, plan)
        : { fixes: [], unwritten: plan.map((fix) => ({ fix, problem })) };
    fixed.push({ folder: found.shown, ...written });
  }
  return fixed.sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** Why a folder is not ours to write to: a link may lead anywhere, and nobody typed where. */
function leadsOut(dir: string, cwd: string): string | null {
  try {
    writtenPath(dir, cwd);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** What `doctor --fix` could fix. */
export interface FixableFiles {
  files: number;
  /** In code-unit order. */
  codes: string[];
}

/** Above this, trying every fix takes too long. */
const maxFindings = 100;

/** Plans the fixes for the findings of a report. Nothing is written. */
export async function fixableFiles(report: DoctorReport, where: WhereToLook): Promise<FixableFiles> {
  const { counts, skills } = report;
  const fixableSkills = skills.filter(({ diagnostics }) =>
    diagnostics.some(({ code }) => fixableCodes.has(code)),
  );
  if (fixableSkills.length === 0 || counts.errors + counts.warnings > maxFindings)
    return { files: 0, codes: [] };
  const fixableFolders = new Set(fixableSkills.map(({ folder }) => folder));
  const folders = (await foldersToExamine(where)).filter(({ shown }) => fixableFolders.has(shown));
  const plans = await Promise.all(
    folders.map(({ dir, manifestFile }) => planFixes(new SkillFolder(dir, manifestFile))),
  );
  const codes = new Set<string>(plans.flat().flatMap((fix) => fix.codes));
  return { files: plans.flat().length, codes: [...codes].sort() };
}
