import { basename, dirname } from "node:path";
import { loadSuites } from "../../cases/files/load-suites.ts";
import type { UserFolders } from "../../config/config-files.ts";
import { askDigest } from "../../config/grants/trust-file.ts";
import { type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { ownFolders, projectFolder } from "../../config/project-rules.ts";
import type { Ask } from "../../contract/grant.ts";
import { isClosed } from "../../engine/granted.ts";
import { containmentOptions, projectRoot } from "../../engine/request.ts";
import { benchAsks } from "../../levels/planbench/files/bench-asks.ts";
import { loadBench } from "../../levels/planbench/files/load-bench.ts";
import { loadTasksFile } from "../../levels/unit/benchmark/load-benchmark.ts";
import { taskAsks } from "../../levels/unit/benchmark/task-asks.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import { nearPath, realPath } from "../../shared/files/paths.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";
import { unitTargets } from "../../skills/targets/unit-targets.ts";
import { skillAsks } from "../../skills/unit/skill-asks.ts";
import { type AskingKind, findAskingFiles } from "./find-asking-files.ts";

export interface ProjectAsks {
  /** The real folder of the project: that of its configuration, which may lie above the one that was named. */
  project: string;
  asks: Ask[];
  /** What was not looked at. */
  warnings: string[];
}

/**
 * Everything the files of a project ask for: its configuration, skills, benchmarks, benches and cases. They are read by the
 * functions that read them for a run, so that a run asks for nothing else. What cannot be loaded cannot be run, and asks for nothing.
 */
export async function collectAsks(
  folder: string,
  { home, env, configPath }: UserFolders & { configPath?: string | undefined },
): Promise<ProjectAsks> {
  const loaded = await loadConfig({ cwd: folder, home, env, configPath });
  const project = realPath(projectFolder(folder, loaded.files.project));
  const found = await findAskingFiles(project);
  const asks = new Map(loaded.asks.map((ask) => [askDigest(ask, project), ask]));
  const readers = readersFor(project, loaded);
  for (const [kind, files] of groupedBy(found.files, ({ kind }) => kind))
    for (const ask of await asksIn(
      files.map(({ path }) => path),
      readers[kind],
    ))
      asks.set(askDigest(ask, project), ask);
  const shown = (path: string) => nearPath(path, project);
  return {
    project,
    asks: [...asks.values()],
    warnings: [
      ...found.links.map((path) => `${shown(path)} leads out of the project and was not searched`),
      ...(found.isTooLarge ? [`${project} has too many files: not all of them were read`] : []),
    ],
  };
}

type AskReader = (paths: readonly string[]) => Promise<readonly Ask[]>;

/** Files that can be read together are; what one of them may not be, such as a second suite of one name, stops no other. */
async function asksIn(paths: readonly string[], read: AskReader): Promise<readonly Ask[]> {
  try {
    return await read(paths);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (paths.length < 2) return [];
    const folders = [...groupedBy(paths, dirname).values()];
    const parts = folders.length > 1 ? folders : paths.map((path) => [path]);
    const asks: Ask[] = [];
    for (const part of parts) asks.push(...(await asksIn(part, read)));
    return asks;
  }
}

/** What files of each kind ask for, in a run that is started in the folder of the project. */
function readersFor(cwd: string, loaded: LoadedConfig): Record<AskingKind, AskReader> {
  const closed = isClosed(containmentOptions(undefined, loaded));
  const root = projectRoot(loaded.files, cwd);
  return {
    async skill(paths) {
      const named = paths.map((path) => (basename(path) === "skill.json" ? dirname(path) : path));
      const { targets } = await unitTargets(named, cwd);
      return targets.flatMap(({ skill }) => skillAsks(skill, closed));
    },
    async benchmark(paths) {
      const asks: Ask[] = [];
      for (const path of paths) {
        const found = await loadTasksFile(path, cwd);
        const asksOf = taskAsks(found, ownFolders([path], { cwd, projectRoot: cwd }));
        asks.push(...found.benchmark.tasks.flatMap(asksOf));
      }
      return asks;
    },
    async bench(paths) {
      const asks: Ask[] = [];
      for (const path of paths) {
        const bench = await loadBench(path, { cwd, bundledDir: `${packageFolder()}/benchmarks/planbench` });
        const folders = ownFolders([path], { cwd, projectRoot: root });
        asks.push(...benchAsks(bench, { isClosed: closed, folders }));
      }
      return asks;
    },
    async suite(paths) {
      const suites = await loadSuites(paths, { cwd, projectRoot: root });
      return suites.flatMap(({ cases }) => cases.flatMap(({ asks }) => asks));
    },
  };
}
