import { UserError } from "../contract/user-error.ts";
import type { AgentAsked, AgentWishes } from "../run/agents/agent-request.ts";
import type { AgentEvalFlags } from "./agent-eval-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf({ case: cases, tag, level, model, format, ...flags }: AgentEvalFlags): AgentWishes {
  return { ...flags, cases, tags: tag, levels: level, models: model, formats: format };
}

/** What was asked for when a run began, as if it had been typed now; what is typed now beats it. */
export function withAsked(flags: AgentEvalFlags, { formats, evalLog, ...asked }: AgentAsked): AgentEvalFlags {
  return {
    ...(asked as Partial<AgentEvalFlags>),
    ...(formats !== undefined && formats.length > 0 && { format: [...formats] }),
    ...(evalLog !== undefined && { evalLog }),
    ...flags,
  };
}

/** Flags that decide the cells of a run or how they end. */
const planFlags = [
  "case",
  "tag",
  "level",
  "model",
  "runs",
  "baseline",
  "judgeModel",
  "maxCost",
  "seed",
  "sandbox",
  "network",
  "allowNetwork",
  "dryRun",
] as const satisfies readonly (keyof AgentEvalFlags)[];

/** A resumed run does what it was planned to do; a flag that says otherwise is a mistake. */
export function refusePlanFlags(flags: AgentEvalFlags): void {
  const typed = planFlags.find((flag) => flags[flag] !== undefined);
  if (typed === undefined && flags.suites.length === 0) return;
  const name =
    typed === undefined
      ? "<suites...>"
      : `--${typed.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new UserError("usage", `${name} would change the plan of a run that is resumed`, {
    hint: "leave it out, or start a new run without --resume",
  });
}
