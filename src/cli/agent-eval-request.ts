import type { AgentWishes } from "../run/agents/agent-request.ts";
import type { AgentEvalFlags } from "./agent-eval-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf(typed: AgentEvalFlags): AgentWishes {
  const { case: cases, tag, level, model, format, schema, ...flags } = typed;
  return { ...flags, cases, tags: tag, levels: level, models: model, formats: format, schemas: schema };
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
  "toolHost",
  "schema",
  "sandbox",
  "network",
  "allowNetwork",
  "dryRun",
] as const satisfies readonly (keyof AgentEvalFlags)[];
