import type { BenchWishes } from "../run/planbench/bench-request.ts";
import type { PlanbenchFlags } from "./planbench-options.ts";

/** What was typed, in the words of the conductor. */
export function wishesOf({ case: cases, tag, format, ...flags }: PlanbenchFlags): BenchWishes {
  return { ...flags, cases, tags: tag, formats: format };
}

/** Flags that decide the samples of a run or how they end. */
export const planFlags = [
  "case",
  "tag",
  "onlyHost",
  "route",
  "limit",
  "runs",
  "maxRepairs",
  "model",
  "seed",
  "sandbox",
  "network",
  "allowNetwork",
  "dryRun",
] as const satisfies readonly (keyof PlanbenchFlags)[];
