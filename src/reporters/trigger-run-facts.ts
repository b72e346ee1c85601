import type { TriggerReport } from "../contract/trigger-report.ts";
import { fraction } from "./format-numbers.ts";

/** What a reader of a report on triggering must know to judge the figures, and to get them again. */
export function triggerRunFacts({ run, tool }: Pick<TriggerReport, "run" | "tool">): [string, string][] {
  return [
    ["Run", run.id],
    ["Tool", `${tool.name} ${tool.version}`],
    ["Started", run.startedAt],
    ["Finished", run.finishedAt],
    ["Repeats", String(run.repeats)],
    ["Threshold", fraction(run.threshold)],
    ["Seed", String(run.seed)],
    ["Concurrency", String(run.concurrency)],
    ["Store", run.store],
  ];
}
