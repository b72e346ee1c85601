import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { realPath } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";
import { type ReadFolder, readFound } from "../describe-found.ts";
import { discoverSkills, type FoundFolder } from "../discover/discover-skills.ts";
import { findingLine, skillRefusal } from "../finding-words.ts";
import { isInstructions } from "../folder/skill-files.ts";
import { isNamed, notLoaded, notUsable } from "../not-loaded.ts";
import { noneCallable, notOneSkill, toolNames, toolTarget, uncallable, undeclared } from "./named-target.ts";
import { toolToUnitSkill, toUnitSkill } from "./unit-skill-of.ts";

/** Something that the unit level can call. */
export interface UnitTarget {
  skill: Omit<UnitSkill, "digest">;
  /** As the user would name it. */
  shown: string;
  /** Why it cannot be called; irrelevant to checks that only read it. */
  unreachable: UserError | null;
}

export interface UnitTargets {
  targets: UnitTarget[];
  warnings: string[];
  notLoaded: NotLoaded[];
}

export interface BrokenNamed {
  /** Whether what was named itself and cannot be called is listed like the rest; else it is an error. */
  listsBroken?: boolean | undefined;
}

/**
 * What a list of paths means at unit level, each thing once: skills with an adapter, and `<skill>#<tool>`. What was named and
 * cannot be called is an error; in a folder that is searched the other kinds are passed over, and broken manifests are listed.
 */
export async function unitTargets(
  paths: readonly string[],
  cwd: string,
  { listsBroken = false }: BrokenNamed = {},
): Promise<UnitTargets> {
  const found = new Map<string, UnitTarget>();
  const warnings: string[] = [];
  const broken = new Map<string, NotLoaded>();
  for (const path of paths) {
    const targets = await targetsAt(path, cwd, warnings, broken).catch((error: unknown) => {
      if (!listsBroken || !(error instanceof UserError)) throw error;
      broken.set(path, notUsable(path, error));
      return [];
    });
    for (const target of targets) {
      const key = JSON.stringify([realPath(target.skill.manifest), target.skill.id]);
      if (!found.has(key)) found.set(key, target);
    }
  }
  return { targets: [...found.values()], warnings, notLoaded: [...broken.values()] };
}

async function targetsAt(
  path: string,
  cwd: string,
  warnings: string[],
  broken: Map<string, NotLoaded>,
): Promise<UnitTarget[]> {
  const named = toolTarget(path, cwd);
  const folders = await discoverSkills({
    paths: [named?.skill ?? path],
    cwd,
    whenUnreadable: named === null ? "keep" : "refuse",
  });
  if (named === null) return skillsIn(folders, path, warnings, broken);
  return [await toolIn(folders, path, named.tool, warnings)];
}

async function skillsIn(
  folders: readonly FoundFolder[],
  path: string,
  warnings: string[],
  broken: Map<string, NotLoaded>,
): Promise<UnitTarget[]> {
  const targets: UnitTarget[] = [];
  const tools: string[] = [];
  const before = broken.size;
  for (const found of folders) {
    const isOther = !isNamed(found) && found.unreadable === undefined && !hasManifest(found);
    if (isOther) continue;
    const read = await readFound(found);
    if (isNamed(found)) refuseBroken(read);
    if (brokenManifest(read) !== null) {
      broken.set(realPath(found.dir), notLoaded(read));
      continue;
    }
    const unit = read.skill === null ? null : toUnitSkill(read.skill);
    if (unit !== null) targets.push(toTarget(unit, found.shown, read, warnings));
    else if (isNamed(found)) throw uncallable(path, read);
    else tools.push(...toolNames(read));
  }
  if (targets.length === 0 && broken.size === before) throw noneCallable(path, tools);
  if (tools[0] !== undefined)
    warnings.push(`${path}: tools of prompts are skipped unless passed by name, for example ${tools[0]}`);
  return targets;
}

async function toolIn(
  folders: readonly FoundFolder[],
  path: string,
  name: string,
  warnings: string[],
): Promise<UnitTarget> {
  const [found] = folders as [FoundFolder];
  if (!isNamed(found)) throw notOneSkill(path, name, found);
  const read = await readFound(found);
  refuseBroken(read);
  const tool = read.skill?.tools.find((declared) => declared.name === name);
  if (read.skill === null || tool === undefined) throw undeclared(path, name, read);
  return toTarget(await toolToUnitSkill(read.skill, tool), `${found.shown}#${name}`, read, warnings);
}

/** Named as it was reached: links on the way to it are not followed. */
function toTarget(
  unit: Omit<UnitSkill, "digest">,
  shown: string,
  { found, folder, errors, warnings: findings }: ReadFolder,
  warnings: string[],
): UnitTarget {
  // Problems of a SKILL.md beside the manifest do not concern this level, unless the skill can no longer be used as an agent skill.
  const reported = [
    ...findings.filter(({ file }) => !isInstructions(file)),
    ...errors.filter(({ file }) => isInstructions(file)),
  ];
  warnings.push(...reported.map((finding) => findingLine(finding, found.shown)));
  const [missing] = errors.filter(({ code }) => code === "SKU04");
  return {
    skill: { ...unit, dir: found.dir, manifest: join(found.dir, folder.manifestName) },
    shown,
    unreachable: missing === undefined ? null : skillRefusal([missing], found),
  };
}

/** Refuses a folder that cannot be loaded. */
export function refuseBroken(read: ReadFolder): void {
  const refusal = brokenManifest(read);
  if (refusal !== null) throw refusal;
}

/** Why a skill cannot be loaded; null where it can. */
export function brokenManifest({ errors, found, skill }: ReadFolder): UserError | null {
  const [first, ...more] = errors;
  if (skill !== null || first === undefined) return null;
  const refusal = skillRefusal([first, ...more], found);
  if (found.manifestFile === undefined || /\.json$/i.test(found.manifestFile)) return refusal;
  // A manifest may have any name; one that is not called JSON is most likely another file of the skill.
  return new UserError(refusal.code, refusal.message, {
    path: refusal.path ?? undefined,
    jsonPath: refusal.jsonPath ?? undefined,
    hint: "pass the skill folder, or its skill.json",
  });
}

export function hasManifest({ dir, manifestFile = "skill.json" }: FoundFolder): boolean {
  return lstatSync(join(dir, manifestFile), { throwIfNoEntry: false }) !== undefined;
}
