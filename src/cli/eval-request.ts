import { UserError } from "../contract/user-error.ts";
import type { OutputWishes, RunWishes } from "../run/request.ts";
import type { EvalFlags } from "./eval-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf({ taskTag, case: cases, timeout, format, ...flags }: EvalFlags): RunWishes {
  return { ...flags, formats: format, taskTags: taskTag, cases, isTimeoutTyped: timeout !== undefined };
}

/** What was asked for when a run began, as if it had been typed now; what is typed now beats it. */
export function withAsked(flags: EvalFlags, { formats, evalLog, ...asked }: OutputWishes): EvalFlags {
  return {
    ...(asked as Partial<EvalFlags>),
    ...(formats !== undefined && formats.length > 0 && { format: [...formats] }),
    ...(evalLog !== undefined && { evalLog }),
    ...flags,
  };
}

/** Flags that decide the cells of a run or how they end. */
const planFlags = [
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
  "dryRun",
] as const satisfies readonly (keyof EvalFlags)[];

/** A resumed run does what it was planned to do; a flag that says otherwise is a mistake. */
export function refusePlanFlags(flags: EvalFlags): void {
  const typed = planFlags.find((flag) => flags[flag] !== undefined);
  if (typed === undefined) return;
  const name = typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const problem =
    typed === "dryRun"
      ? "a resumed run has been checked already: --dry-run and --resume exclude each other"
      : `--${name} would change the plan of a run that is resumed`;
  throw new UserError("usage", problem, {
    hint: "leave it out, or start a new run without --resume",
  });
}
