import { ownFolders } from "../../config/project-rules.ts";
import type { LoadedBenchmark } from "../../contract/benchmark.ts";
import type { SkippedReport } from "../../contract/document.ts";
import type { Ask } from "../../contract/grant.ts";
import type { Task } from "../../contract/task.ts";
import { leaveUngranted } from "../../engine/granted.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { selectTasks } from "../../levels/unit/benchmark/load-benchmark.ts";
import { taskAsks } from "../../levels/unit/benchmark/task-asks.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import type { PlanOptions } from "./request.ts";

export interface ChosenTasks {
  kept: readonly Task[];
  /** What they ask for. */
  asks: readonly Ask[];
  skipped: readonly SkippedReport[];
}

/** The tasks of a benchmark that are to be run, without those that are left out because nobody granted what they ask for. */
export function chooseTasks(
  found: LoadedBenchmark,
  { taskTags, cases, cwd }: PlanOptions,
  context: RunContext,
): ChosenTasks {
  const { benchmark, path } = found;
  const selected = selectTasks(benchmark.tasks, { tags: taskTags, ids: cases });
  const asksOf = taskAsks(found, ownFolders([path], { cwd, projectRoot: cwd }));
  const { kept, asks, left } = leaveUngranted(selected, asksOf, context);
  const skipped = left.map(({ item, reason }) => ({
    level: unitLevel.name,
    suite: benchmark.id,
    skillId: null,
    caseId: item.id,
    reason,
  }));
  return { kept, asks, skipped };
}
