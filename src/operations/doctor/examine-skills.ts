import { dirname } from "node:path";
import { setImmediate as otherWork } from "node:timers/promises";
import { describingFile } from "../../contract/describing-file.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import type { DiagnosticSeverity, Profile } from "../../contract/findings.ts";
import { readOutputSchema } from "../../contract/output-contract.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import type { SkillKind, TokenCosts } from "../../contract/skill-facts.ts";
import { checkTriggering } from "../../levels/trigger/queries/check-triggering.ts";
import { examineSkill } from "../../lint/examine-skill.ts";
import { reportBrokenManifest } from "../../lint/prompt-tool/examine-manifest.ts";
import { sharedToolNames } from "../../lint/prompt-tool/shared-tool-names.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { describeFound, readFound, usableKinds } from "../../skills/describe-found.ts";
import { describeSkill } from "../../skills/describe-skill.ts";
import { discoverSkills, type FoundFolder } from "../../skills/discover/discover-skills.ts";
import { resolveDuplicates } from "../../skills/discover/resolve-duplicates.ts";
import { readSidecar } from "../../skills/folder/sidecar.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { tokenCosts } from "../../skills/tokens/token-costs.ts";
import type { DoctorReport, ExaminedSkill } from "./doctor-report.ts";
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
  const examined: ExaminedFolder[] = [];
  await forEachLimited(folders, concurrency, async (found) => {
    examined.push(await examineFolder(found, request.profile));
    await otherWork(); // lets signals be handled between thousands of folders
  });
  await examineTogether(examined, request.cwd);
  const skills = examined.map(examinedSkill).filter(({ kinds }) => matchesKinds(kinds, request.kinds));
  const prose = examined.flatMap(({ skill }) => (statesProse(skill) ? [skill.id] : [])).sort();
  return makeReport(skills.sort(byFolder), prose, request);
}

function statesProse(skill: DescribedSkill | null): skill is DescribedSkill {
  return skill !== null && readOutputSchema(skill.output?.output_schema).prose !== null;
}

function makeReport(
  skills: readonly ExaminedSkill[],
  prose: readonly string[],
  { profile, failOn }: ExamineRequest,
): DoctorReport {
  const verb = prose.length === 1 ? "states its" : "state their";
  const message = `${pluralize(prose.length, "skill")} ${verb} output in prose: markers and length are checked, the text only by a judge`;
  const notes = prose.length === 0 ? [] : [{ code: "PTS11" as const, message, skills: prose }];
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

/** An examined folder, before it is compared with the others. */
interface ExaminedFolder {
  found: FoundFolder;
  /** What a run would load, whatever the profile; null where it cannot be loaded. */
  skill: DescribedSkill | null;
  tokens: TokenCosts | null;
  diagnostics: Diagnostics;
}

async function examineFolder(found: FoundFolder, profile: Profile): Promise<ExaminedFolder> {
  const { folder, isSkill, skill: described, diagnostics } = await describeFound(found, profile);
  if (isSkill) await examineSkill(described, folder, diagnostics);
  // A skill with errors still has an id, costs tokens, and may be of two kinds.
  const describeLeniently = () =>
    describeSkill(folder, found.source, new Diagnostics("lenient", folder.name));
  const skill = diagnostics.isStrict && diagnostics.hasErrors() ? await describeLeniently() : described;
  if (skill !== null) diagnostics.skill = skill.id;
  const tokens = skill === null ? null : await tokenCosts(skill, folder);
  return { found, skill, tokens, diagnostics };
}

function examinedSkill({ found, skill, tokens, diagnostics }: ExaminedFolder): ExaminedSkill {
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
  reportDuplicates(loaded);
  reportSharedTools(loaded);
  await reportTriggering(loaded, cwd);
}

type Loaded = ExaminedFolder & { skill: NonNullable<ExaminedFolder["skill"]> };

function reportDuplicates(loaded: readonly Loaded[]): void {
  const ranked = loaded.map((examined) => {
    const { shown, manifestFile } = examined.found;
    // The name of a folder with two manifests is ambiguous.
    const named = manifestFile === undefined ? shown : `${shown}/${manifestFile}`;
    return { examined, id: examined.skill.id, ...examined.found, shown: named };
  });
  for (const { about, code, message } of resolveDuplicates(ranked).findings) {
    const { diagnostics, found, skill } = about.examined;
    diagnostics.add(code, { file: describingFile(skill) }, message);
    reportBrokenManifest(new SkillFolder(found.dir, found.manifestFile), diagnostics);
  }
}

function reportSharedTools(loaded: readonly Loaded[]): void {
  const diagnosticsBySkill = new Map(loaded.map(({ skill, diagnostics }) => [skill, diagnostics]));
  for (const { skill, place, message, hint } of sharedToolNames(loaded.map((one) => one.skill)))
    diagnosticsBySkill.get(skill)?.add("PTS05", place, message, { hint });
}

async function reportTriggering(loaded: readonly Loaded[], cwd: string): Promise<void> {
  const tested = loaded
    .map((one) => ({ ...one, folder: new SkillFolder(one.found.dir, one.found.manifestFile) }))
    .filter(({ folder }) => folder.names().includes("eval.yaml"));
  if (tested.length === 0) return;
  const beside = await skillsBeside(loaded, cwd);
  const names = [...loaded.map(({ skill }) => skill), ...beside].flatMap(({ id, aliases }) => [
    id,
    ...aliases,
  ]);
  const siblings = loaded.length + beside.length < 2 ? null : new Set(names);
  for (const { folder, skill, diagnostics } of tested) {
    await otherWork(); // lets signals be handled between thousands of folders
    const sidecar = await readSidecar(folder);
    await checkTriggering({ skill, readFile: (path) => folder.text(path), siblings, sidecar }, diagnostics);
  }
}

/** Skills in the same folders: naming some says what is checked, not what is installed. `trigger` finds the same ones. */
async function skillsBeside(loaded: readonly Loaded[], cwd: string): Promise<DescribedSkill[]> {
  const known = new Set(loaded.map(({ found }) => found.dir));
  const parents = [...new Set([...known].map((dir) => dirname(dir)))];
  const roots = parents.map((dir) => ({ dir, source: "project" as const, rank: 2 }));
  const around = await discoverSkills({ cwd, roots, whenUnreadable: "keep" });
  const beside: DescribedSkill[] = [];
  await forEachLimited(
    around.filter(({ dir }) => !known.has(dir)),
    concurrency,
    async (found) => {
      const { skill } = await readFound(found);
      if (skill !== null) beside.push(skill);
    },
  );
  return beside;
}
