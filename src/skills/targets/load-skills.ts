import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import { canonicalJson } from "../../shared/json/canonical-json.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { UserError } from "../../shared/user-error.ts";
import { refuseDuplicateIds } from "../discover/resolve-duplicates.ts";
import { digestFolder, type FolderDigest } from "../folder/digest.ts";
import { type FolderWatch, watchFolder } from "../folder/folder-watch.ts";
import { outsideDigest } from "../folder/mentioned-paths.ts";
import type { WalkOptions } from "../folder/walk-folder.ts";
import { type BrokenNamed, type UnitTarget, unitTargets } from "./unit-targets.ts";

export interface LoadSkillsOptions extends BrokenNamed {
  cwd: string;
  /** Paths that are never part of a skill: the store and the report folder. */
  exclude: readonly string[];
}

/** A skill in memory, and a watch that knows whether the one on disk is still the same. */
export interface LoadedSkill {
  skill: UnitSkill;
  /** What its digest was made of. */
  files: FolderDigest["files"];
  /** Of files outside of it that it names; null where it names none. */
  outside: string | null;
  watch: FolderWatch;
  /** Why it cannot be called; irrelevant to checks that only read its files. */
  unreachable: UserError | null;
}

/** Loads every skill the paths name. Nothing is skipped silently: a broken one is listed, and one that was named itself is an error. */
export async function loadSkills(
  paths: readonly string[],
  options: LoadSkillsOptions,
): Promise<{ skills: LoadedSkill[]; warnings: string[]; notLoaded: NotLoaded[] }> {
  const { targets, warnings, notLoaded } = await unitTargets(paths, options.cwd, options);
  refuseDuplicates(targets);
  const skills: LoadedSkill[] = [];
  for (const target of targets) {
    const loaded = await loadSkill(target, options);
    refuseSameCall(skills, loaded);
    skills.push(loaded);
  }
  return { skills, warnings, notLoaded };
}

function refuseDuplicates(targets: readonly UnitTarget[]): void {
  const named = targets.map(({ skill: { id, manifest } }) => ({ id, path: manifest }));
  refuseDuplicateIds(named, { jsonPath: "$.id" });
}

/** Two manifests over the same files and the same call are one skill under two names: their cells would be indistinguishable. */
function refuseSameCall(skills: readonly LoadedSkill[], { skill }: LoadedSkill): void {
  const same = skills.find(
    ({ skill: other }) =>
      other.digest === skill.digest && canonicalJson(other.adapter) === canonicalJson(skill.adapter),
  );
  if (same === undefined) return;
  throw new UserError(
    "skill-duplicate",
    `${same.skill.manifest} and ${skill.manifest} have the same files and entrypoint`,
    { path: skill.manifest, hint: "pass only one of them, or remove skill.json from digestIgnore" },
  );
}

async function loadSkill(
  { skill, unreachable }: UnitTarget,
  { exclude }: LoadSkillsOptions,
): Promise<LoadedSkill> {
  const walk: WalkOptions = { ignore: skill.metadata.digestIgnore ?? [], exclude };
  const digest: FolderDigest = await digestFolder(skill.dir, walk);
  const watch = watchFolder(skill.dir, walk, digest);
  const { files } = digest;
  const outside = outsideDigest(
    skill.dir,
    files.map(({ path }) => path),
    exclude,
  );
  return { skill: { ...skill, digest: digest.digest }, files, outside, watch, unreachable };
}

/** A schema that accepts everything needs no validator. */
export function isOpenSchema(schema: JsonSchema): boolean {
  return schema === true || (typeof schema === "object" && Object.keys(schema).length === 0);
}
