import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import { findBenchmark } from "../../levels/unit/benchmark/find-benchmark.ts";
import { loadTasksFile } from "../../levels/unit/benchmark/load-benchmark.ts";
import { unitRows } from "../../levels/unit/options.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { UserError } from "../../shared/user-error.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import type { PlanOptions } from "./request.ts";

/** The file of tasks that `--tasks` or `--benchmark` names. */
export async function loadNamedBenchmark(
  { benchmark, tasks, benchmarksDir, cwd }: PlanOptions,
  bundledDir: string,
): Promise<LoadedBenchmark> {
  if (tasks !== null) {
    const { path } = await findBenchmark(resolve(cwd, tasks), { cwd, bundledDir, userDirs: [] });
    return loadTasksFile(path, cwd);
  }
  const { default: defaultDir } = unitRows.benchmarksDir;
  const userDirs = [...new Set([benchmarksDir, defaultDir])];
  if (benchmarksDir !== defaultDir && !existsSync(resolve(cwd, benchmarksDir))) {
    throw new UserError("benchmark-not-found", `benchmarks folder not found: ${benchmarksDir}`, {
      path: benchmarksDir,
      hint: "set the folder with --benchmarks-dir",
    });
  }
  const { path, warnings } = await findBenchmark(benchmark ?? unitRows.benchmark.default, {
    cwd,
    bundledDir,
    userDirs,
  });
  const loaded = await loadTasksFile(path, cwd);
  return { ...loaded, warnings: [...warnings, ...loaded.warnings] };
}

/** The default benchmark asks for a program that calculates; of a tool it would say nothing but that it is another one. */
export function refuseDefaultForTools(
  skills: readonly LoadedSkill[],
  { benchmark, tasks, cwd }: PlanOptions,
): void {
  if (benchmark !== null || tasks !== null) return;
  const tool = skills.find(({ skill }) => skill.adapter.type === "tool")?.skill;
  if (tool === undefined) return;
  const own = nearPath(join(tool.dir, "tests", `${tool.name}.eval.json`), cwd);
  throw new UserError("usage", `${tool.id} is a tool, and needs tasks of its own`, {
    hint: existsSync(resolve(cwd, own))
      ? `--tasks ${own}`
      : `write some, for example in ${own}, and pass them with --tasks`,
  });
}
