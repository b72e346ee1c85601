import { UserError } from "../contract/user-error.ts";
import type { TriggerAsked, TriggerWishes } from "../run/triggering/trigger-request.ts";
import type { TriggerFlags } from "./trigger-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf({ set, case: cases, group, format, ...flags }: TriggerFlags): TriggerWishes {
  return { ...flags, sets: set, cases, groups: group, formats: format };
}

/** What was asked for when a run began, as if it had been typed now; what is typed now beats it. */
export function withAsked(flags: TriggerFlags, { formats, evalLog, ...asked }: TriggerAsked): TriggerFlags {
  return {
    ...(asked as Partial<TriggerFlags>),
    ...(formats !== undefined && formats.length > 0 && { format: [...formats] }),
    ...(evalLog !== undefined && { evalLog }),
    ...flags,
  };
}

/** Flags that decide the queries of a run or how they are judged. */
const planFlags = [
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

/** A resumed run does what it was planned to do; a flag that says otherwise is a mistake. */
export function refusePlanFlags(flags: TriggerFlags): void {
  const typed = planFlags.find((flag) => flags[flag] !== undefined);
  if (typed === undefined && flags.skills.length === 0) return;
  const name =
    typed === undefined
      ? "<skills...>"
      : `--${typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new UserError("usage", `${name} would change the plan of a run that is resumed`, {
    hint: "leave it out, or start a new run without --resume",
  });
}
