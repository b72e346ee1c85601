import { join, resolve } from "node:path";
import { defaultSkillRoots } from "../../contract/config.ts";
import type { SkillSource } from "../../contract/skill.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import { isFolder } from "./scan-folders.ts";

/** A folder whose children are skills. */
export interface SkillRoot {
  /** Absolute; there may be nothing. */
  dir: string;
  source: SkillSource;
  /** From 2, since what was named is 1. */
  rank: number;
}

export interface SkillRootOptions {
  cwd: string;
  /** The key `skills.roots` of the configuration, the first first. */
  project: readonly string[];
  /** The user's home, where the user's own skills count. Measurements must not depend on them, so they are opt-in. */
  home?: string | undefined;
  /** Where the skills packaged with this product lie. */
  builtin?: string | undefined;
}

/** Where skills are looked for when nobody names a path, the first first: the project's, the user's, then our own. */
export function skillRoots({ cwd, project, home, builtin = builtinRoot() }: SkillRootOptions): SkillRoot[] {
  const usersFrom = 2 + project.length;
  const users = home === undefined ? [] : userRoots.map((dir) => join(home, dir));
  return [
    ...project.map((dir, n): SkillRoot => ({ dir: resolve(cwd, dir), source: "project", rank: 2 + n })),
    ...users.map((dir, n): SkillRoot => ({ dir, source: "user", rank: usersFrom + n })),
    { dir: builtin, source: "builtin", rank: usersFrom + userRoots.length },
  ];
}

const userRoots = [".agent/skills", ".agents/skills"];

function builtinRoot(): string {
  return join(packageFolder(), "skills");
}

/** The folders below another in which agents keep skills, and which are looked into only where they are named: they begin with a dot. */
export function hiddenRootsIn(folder: string): string[] {
  return defaultSkillRoots.filter((root) => isFolder(join(folder, root)));
}
