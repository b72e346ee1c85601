import { setImmediate as otherWork } from "node:timers/promises";
import type { DiagnosticSeverity, Profile } from "../../contract/diagnostic.ts";
import type { SkillKind } from "../../contract/skill-kind.ts";
import { forEachOf } from "../../shared/async/for-each-of.ts";
import type { DoctorReport, ExaminedSkill } from "./doctor-report.ts";
import { type ExaminedFolder, examinedSkill, examineFolder } from "./examine-folder.ts";
import { examineTogether } from "./examine-together.ts";
import { foldersToExamine, type WhereToLook } from "./folders-to-examine.ts";
import { matchesKinds } from "./matches-kinds.ts";

export interface ExamineRequest extends WhereToLook {
  profile: Profile;
  /** Which kinds are reported; none means all. */
  kinds: readonly SkillKind[];
  failOn: DiagnosticSeverity;
}

/** How many folders are looked at at once: enough that counting tokens never waits for the next text. */
const lanes = 16;

/** Reads skills and says what is wrong with them, each by itself and beside the others. Nothing is run, and nothing is written. */
export async function examineSkills(request: ExamineRequest): Promise<DoctorReport> {
  const folders = await foldersToExamine(request);
  const examined: ExaminedFolder[] = [];
  await forEachOf(folders, lanes, async (found) => {
    examined.push(await examineFolder(found, request.profile));
    await otherWork(); // a signal has to be heard between two of thousands
  });
  await examineTogether(examined);
  const skills = examined.map(examinedSkill).filter(({ faces }) => matchesKinds(faces, request.kinds));
  return reportOf(skills.sort(byFolder), request);
}

function reportOf(skills: readonly ExaminedSkill[], { profile, failOn }: ExamineRequest): DoctorReport {
  const errors = skills.reduce((sum, skill) => sum + skill.errors, 0);
  const warnings = skills.reduce((sum, skill) => sum + skill.warnings, 0);
  const clean = skills.filter((skill) => skill.errors + skill.warnings === 0).length;
  const failures = failOn === "error" ? errors : errors + warnings;
  const counts = { skills: skills.length, errors, warnings, clean };
  return { skills, counts, profile, failOn, exitCode: failures > 0 ? 1 : 0 };
}

function byFolder(a: ExaminedSkill, b: ExaminedSkill): number {
  return a.folder < b.folder ? -1 : 1;
}
