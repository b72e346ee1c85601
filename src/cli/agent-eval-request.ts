import type { AgentWishes } from "../run/agents/agent-request.ts";
import type { AgentEvalFlags } from "./agent-eval-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf({ case: cases, tag, level, model, format, ...flags }: AgentEvalFlags): AgentWishes {
  return { ...flags, cases, tags: tag, levels: level, models: model, formats: format };
}

/** Flags that decide the cells of a run or how they end. */
export const planFlags = [
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
