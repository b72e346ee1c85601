import type { TriggerWishes } from "../run/triggering/trigger-request.ts";
import type { TriggerFlags } from "./trigger-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf({ set, case: cases, group, format, ...flags }: TriggerFlags): TriggerWishes {
  return { ...flags, sets: set, cases, groups: group, formats: format };
}

/** Flags that decide the queries of a run or how they are judged. */
export const planFlags = [
  "catalog",
  "set",
  "case",
  "judge",
  "judgeModel",
  "agent",
  "runs",
  "threshold",
  "host",
  "group",
  "allow",
  "requireVectors",
  "seed",
  "timeout",
  "dryRun",
] as const satisfies readonly (keyof TriggerFlags)[];
