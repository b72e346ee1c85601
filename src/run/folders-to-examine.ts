import { resolve } from "node:path";
import { realPath } from "../base/real-path.ts";
import { discoverSkills, type FoundFolder } from "../skills/discover-skills.ts";
import { isFolder } from "../skills/scan-folders.ts";
import { skillRoots } from "../skills/skill-roots.ts";

/** A folder to look at. */
export interface FolderToExamine extends FoundFolder {
  /** Whether somebody named it: then it has to be a skill. */
  isNamed: boolean;
}

export interface WhereToLook {
  /** What was named; where nothing was, the project's own skills are meant. */
  paths: readonly string[];
  /** The roots of the configuration. */
  roots: readonly string[];
  cwd: string;
}

/** Below this all skills of a project are looked for, however deep. */
export const projectFolder = "./skills";

/** What others refuse is told of. */
const tolerant = { whenNone: "keep", whenUnreadable: "keep" } as const;

/** The folders that were named, or `./skills` and what lies in the roots, each once. */
export async function foldersToExamine({ paths, roots, cwd }: WhereToLook): Promise<FolderToExamine[]> {
  if (paths.length > 0) {
    const named = await discoverSkills({ paths, cwd, ...tolerant });
    return named.map((found) => ({ ...found, isNamed: true }));
  }
  const own = isFolder(resolve(cwd, projectFolder))
    ? await discoverSkills({ paths: [projectFolder], cwd, ...tolerant })
    : [];
  const inRoots = await discoverSkills({
    roots: skillRoots({ cwd, project: roots }).filter(({ source }) => source === "project"),
    cwd,
    ...tolerant,
  });
  const first = new Map<string, FoundFolder>();
  for (const found of [...own, ...inRoots])
    if (!first.has(realPath(found.dir))) first.set(realPath(found.dir), found);
  return [...first.values()].map((found) => ({ ...found, isNamed: false }));
}
