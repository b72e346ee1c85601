import { ownFolders } from "../../config/project-rules.ts";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { SkippedReport } from "../../contract/document.ts";
import type { Task } from "../../contract/task.ts";
import { onlyGranted } from "../../engine/granted.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { selectTasks } from "../../levels/unit/benchmark/load-benchmark.ts";
import { taskAsks } from "../../levels/unit/benchmark/task-asks.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import type { PlanOptions } from "./request.ts";

export interface ChosenTasks {
  kept: readonly Task[];
  skipped: readonly SkippedReport[];
}

/** The tasks of a benchmark that are to be run. One that asks for what nobody granted ends the run, or is left out. */
export function chooseTasks(
  found: LoadedBenchmark,
  { taskTags, cases, cwd }: PlanOptions,
  context: RunContext,
): ChosenTasks {
  const { benchmark, path } = found;
  const selected = selectTasks(benchmark.tasks, { tags: taskTags, ids: cases });
  const asks = taskAsks(found, ownFolders([path], { cwd, projectRoot: cwd }));
  const { kept, left } = onlyGranted(selected, asks, context);
  const skipped = left.map(({ item, reason }) => ({
    level: unitLevel.name,
    suite: benchmark.id,
    skillId: null,
    caseId: item.id,
    reason,
  }));
  return { kept, skipped };
}
