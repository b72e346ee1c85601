import { setImmediate as otherWork } from "node:timers/promises";
import type { DiagnosticSeverity, Profile } from "../../contract/findings.ts";
import { readOutputSchema } from "../../contract/output-contract.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import type { SkillKind, TokenCosts } from "../../contract/skill-facts.ts";
import { checkTriggering } from "../../levels/trigger/queries/check-triggering.ts";
import {
  type ExaminedFolder,
  examineFound,
  examineTriggering,
  hasEvalFile,
} from "../../lint/examine-found.ts";
import { addRelated, relatedFindings, siblingNames } from "../../lint/related-findings.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { usableKinds } from "../../skills/describe-found.ts";
import type { FoundFolder } from "../../skills/discover/discover-skills.ts";
import { declaredModules } from "../../skills/python/declared-modules.ts";
import { tokenCosts } from "../../skills/tokens/token-costs.ts";
import type { DoctorNote, DoctorReport, ExaminedSkill } from "./doctor-report.ts";
import { foldersToExamine, matchesKinds, type WhereToLook } from "./folders-to-examine.ts";

interface ExamineRequest extends WhereToLook {
  profile: Profile;
  /** Which kinds are reported; none means all. */
  kinds: readonly SkillKind[];
  failOn: DiagnosticSeverity;
}

/** How many folders are examined at once: enough to keep the token counter busy. */
const concurrency = 16;

/** Examines skills, each by itself and in relation to the others. Nothing is run or written. */
export async function examineSkills(request: ExamineRequest): Promise<DoctorReport> {
  const folders = await foldersToExamine(request);
  const examined: ExaminedWithTokens[] = [];
  await forEachLimited(folders, concurrency, async (found) => {
    examined.push(await examineFolder(found, request.profile));
    await otherWork(); // lets signals be handled between thousands of folders
  });
  await examineTogether(examined, request.cwd);
  const skills = examined.map(examinedSkill).filter(({ kinds }) => matchesKinds(kinds, request.kinds));
  const known = examined.flatMap(({ skill }) => skill ?? []);
  return makeReport(skills.sort(byFolder), [...proseNote(known), ...modulesNote(known)], request);
}

function proseNote(all: readonly DescribedSkill[]): DoctorNote[] {
  const skills = all
    .filter(({ output }) => readOutputSchema(output?.output_schema).prose !== null)
    .map(({ id }) => id);
  if (skills.length === 0) return [];
  const verb = skills.length === 1 ? "states its" : "state their";
  const message = `${pluralize(skills.length, "skill")} ${verb} output in prose: markers and length are checked, the text only by a judge`;
  return [{ code: "PTS11", message, skills: skills.sort() }];
}

/** What a manifest declares is no fault, but has to be installed wherever its tools run. */
function modulesNote(all: readonly DescribedSkill[]): DoctorNote[] {
  const needing = all.filter((skill) => declaredModules(skill).length > 0);
  if (needing.length === 0) return [];
  const modules = [...new Set(needing.flatMap(declaredModules))].sort();
  const verb = needing.length === 1 ? "declares that its" : "declare that their";
  const message = `${pluralize(needing.length, "skill")} ${verb} tools need Python modules: ${shownText(listed(modules, 5))}`;
  return [{ code: "PTS07", message, skills: needing.map(({ id }) => id).sort() }];
}

function makeReport(
  skills: readonly ExaminedSkill[],
  notes: readonly DoctorNote[],
  { profile, failOn }: ExamineRequest,
): DoctorReport {
  const errors = skills.reduce((sum, skill) => sum + skill.errors, 0);
  const warnings = skills.reduce((sum, skill) => sum + skill.warnings, 0);
  const clean = skills.filter((skill) => skill.errors + skill.warnings === 0).length;
  const failures = failOn === "error" ? errors : errors + warnings;
  const counts = { skills: skills.length, errors, warnings, clean };
  return { skills, notes, counts, profile, failOn, exitCode: failures > 0 ? 1 : 0 };
}

function byFolder(a: ExaminedSkill, b: ExaminedSkill): number {
  return a.folder < b.folder ? -1 : 1;
}

interface ExaminedWithTokens extends ExaminedFolder {
  tokens: TokenCosts | null;
}

async function examineFolder(found: FoundFolder, profile: Profile): Promise<ExaminedWithTokens> {
  const examined = await examineFound(found, profile);
  const { skill, folder } = examined;
  return { ...examined, tokens: skill === null ? null : await tokenCosts(skill, folder) };
}

function examinedSkill({ found, skill, tokens, diagnostics }: ExaminedWithTokens): ExaminedSkill {
  const list = diagnostics.list();
  const { kind, skill: id, unlisted } = diagnostics;
  return {
    id,
    kind,
    kinds: usableKinds({ skill, diagnostics }),
    folder: found.shown,
    source: found.source,
    tokens,
    errors: list.filter(({ severity }) => severity === "error").length,
    warnings: list.filter(({ severity }) => severity === "warning").length,
    diagnostics: list,
    unlisted,
  };
}

/** Checks what depends on other skills: ids, names of tools, siblings of queries. */
async function examineTogether(examined: readonly ExaminedFolder[], cwd: string): Promise<void> {
  const loaded = examined.filter((one): one is Loaded => one.skill !== null);
  const related = relatedFindings(loaded);
  for (const { found, diagnostics } of loaded) addRelated(found, related.get(found) ?? [], diagnostics);
  const tested = loaded.filter(({ folder }) => hasEvalFile(folder));
  if (tested.length === 0) return;
  const siblings = await siblingNames(loaded, cwd);
  for (const one of tested) {
    await otherWork(); // lets signals be handled between thousands of folders
    await examineTriggering(one, siblings, checkTriggering);
  }
}

type Loaded = ExaminedFolder & { skill: DescribedSkill };
