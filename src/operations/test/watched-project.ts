import { dirname, resolve } from "node:path";
import { isFolder } from "../../skills/discover/scan-folders.ts";
import { type FoundAffected, findAffected } from "./affected.ts";
import { discoverMaterial, type Material } from "./discover-material.ts";
import { seenChanges } from "./file-changes.ts";
import type { TestPlan } from "./request.ts";

/** What would be planned now, and the files that runs write. */
export interface PlannedNow {
  plan: Pick<TestPlan, "paths" | "skills" | "cwd" | "projectRoot" | "roots" | "configFile">;
  exclude: readonly string[];
}

/** What a change of files means for the tests of a project. */
export interface WatchedProject {
  /** Everything to watch: the folder of the project, and what was named outside of it. */
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  /** How many skills there were at the last look. */
  skillCount(): number;
  /** What rests on these files, and whether skills or tests came or went since the last look. */
  affectedBy(paths: readonly string[]): Promise<{
    affected: (FoundAffected & { file: string })[];
    isOtherMaterial: boolean;
  }>;
}

/** Looks at a project for the first time. `planNow` reads the configuration, which may change as well. */
export async function openWatchedProject(planNow: () => Promise<PlannedNow>): Promise<WatchedProject> {
  const { plan, exclude } = await planNow();
  let material = await discoverMaterial(plan);
  const { paths, roots, projectRoot, cwd, configFile } = plan;
  const named = [
    ...paths.map((path) => resolve(cwd, path)),
    ...(roots ?? []).map((root) => resolve(projectRoot, root)),
  ];
  const folders = named.map((path) => (isFolder(path) ? path : dirname(path)));
  return {
    paths: [...new Set([projectRoot, ...folders, ...(configFile === null ? [] : [configFile])])],
    exclude,
    skillCount: () => material.skills.length,
    async affectedBy(changed) {
      const now = await planNow();
      const before = materialPaths(material);
      material = await discoverMaterial(now.plan);
      const request = { ...now.plan, exclude: now.exclude, changes: seenChanges(changed), when: "" };
      const affected = findAffected(material, request);
      return {
        affected: affected.map((one) => ({ ...one, file: resolve(now.plan.projectRoot, one.path) })),
        isOtherMaterial: materialPaths(material) !== before,
      };
    },
  };
}

/** Equal only where the same skills, suites and benches are there. */
function materialPaths({ skills, notLoaded, suites, benches }: Material): string {
  return JSON.stringify([skills.map(({ dir }) => dir), notLoaded.map(({ path }) => path), suites, benches]);
}
