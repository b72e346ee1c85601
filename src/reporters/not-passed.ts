import type { CellReader, SkillReport } from "../contract/report.ts";
import type { TaskResult } from "../contract/task-result.ts";

/** How many cells of a skill did not pass, the invalid ones included. */
export function countNotPassed({ counts }: SkillReport): number {
  return counts.fail + counts.error + counts.timeout + counts.invalid;
}

/** The first cells of a skill that did not pass, in plan order; reads no further than it must. */
export function* notPassed(report: SkillReport, cellsOf: CellReader, limit: number): Generator<TaskResult> {
  let missing = Math.min(limit, countNotPassed(report));
  if (missing === 0) return;
  for (const cell of cellsOf(report.skillId, report.benchmarkId)) {
    if (cell.status === "pass") continue;
    yield cell;
    if (--missing === 0) return;
  }
}
