import type { RunWishes } from "../run/request.ts";
import type { EvalFlags } from "./eval-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf({ taskTag, case: cases, timeout, format, ...flags }: EvalFlags): RunWishes {
  return { ...flags, formats: format, taskTags: taskTag, cases, isTimeoutTyped: timeout !== undefined };
}

/** Flags that decide the cells of a run or how they end. */
export const planFlags = [
  "skills",
  "benchmark",
  "tasks",
  "benchmarksDir",
  "taskTag",
  "case",
  "timeout",
  "retries",
  "runs",
  "evaluator",
  "seed",
  "sandbox",
  "network",
  "allowNetwork",
  "toolHost",
  "dryRun",
] as const satisfies readonly (keyof EvalFlags)[];
