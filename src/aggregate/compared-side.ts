import type { MetricName } from "../contract/diff.ts";
import type { SkillReportWithCells } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";

/** How often one task was tried in one report, and how often it passed. */
export interface TriedTask {
  taskId: string;
  /** What it asked for: another content is another task. Empty where the report does not tell. */
  content: string;
  /** Trials with a verdict, and those among them that passed. */
  valid: number;
  passed: number;
  /** Trials that this is worth, where that is not how many there were. */
  worth?: number | undefined;
  /** As people know it, where the id says little. */
  title?: string | undefined;
}

/** One skill on one benchmark in one report, ready to be held against another: its tasks, and the figures that are shown. */
export interface ComparedSide {
  skillId: string;
  benchmarkId: string;
  tasks: readonly TriedTask[];
  figures: Partial<Record<MetricName, number | null>>;
}

/** What a report of `eval` or `run` says of one skill. */
export function unitSide({
  skillId,
  benchmarkId,
  taskResults,
  summary: { completionRate, errorRate, compositeScore },
  latency,
}: SkillReportWithCells): ComparedSide {
  return {
    skillId,
    benchmarkId,
    tasks: tally(taskResults),
    figures: { completionRate, errorRate, latencyP95Ms: latency.p95Ms, compositeScore },
  };
}

function tally(cells: readonly Pick<CellResult, "taskId" | "taskDigest" | "status">[]): TriedTask[] {
  const found = new Map<string, TriedTask>();
  for (const { taskId, taskDigest, status } of cells) {
    const key = JSON.stringify([taskId, taskDigest]);
    const task = found.get(key) ?? { taskId, content: taskDigest, valid: 0, passed: 0 };
    found.set(key, task);
    if (status !== "invalid") task.valid++;
    if (status === "pass") task.passed++;
  }
  return [...found.values()];
}
