import { resolve } from "node:path";
import type { SkillKind } from "../../contract/skill-facts.ts";
import { realPath } from "../../shared/files/paths.ts";
import { discoverSkills, type FoundFolder } from "../../skills/discover/discover-skills.ts";
import { isFolder } from "../../skills/discover/scan-folders.ts";
import { skillRoots } from "../../skills/discover/skill-roots.ts";

export interface WhereToLook {
  /** The named paths; if empty, the project's own skills are used. */
  paths: readonly string[];
  /** The roots of the configuration. */
  roots: readonly string[];
  cwd: string;
}

/** All skills of a project below this folder are found, at any depth. */
export const projectFolder = "./skills";

/** The named folders, or `./skills` and the contents of the roots, each once. Unreadable folders are included. */
export async function foldersToExamine({ paths, roots, cwd }: WhereToLook): Promise<FoundFolder[]> {
  const whenUnreadable = "keep";
  if (paths.length > 0) return discoverSkills({ paths, cwd, whenNone: "keep", whenUnreadable });
  const own = isFolder(resolve(cwd, projectFolder))
    ? await discoverSkills({ paths: [projectFolder], cwd, whenNone: "pass-over", whenUnreadable })
    : [];
  const projectRoots = skillRoots({ cwd, project: roots }).filter(({ source }) => source === "project");
  const inRoots = await discoverSkills({ roots: projectRoots, cwd, whenUnreadable });
  const first = new Map<string, FoundFolder>();
  for (const found of [...own, ...inRoots])
    if (!first.has(realPath(found.dir))) first.set(realPath(found.dir), found);
  return [...first.values()];
}

/** Whether a folder is of one of these kinds: an empty list means all, and a folder of no known kind matches any. */
export function matchesKinds(own: readonly SkillKind[], kinds: readonly SkillKind[]): boolean {
  return kinds.length === 0 || own.length === 0 || own.some((kind) => kinds.includes(kind));
}
