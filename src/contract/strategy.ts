import * as z from "zod";
import { adapterTypes } from "./skill-facts.ts";

const rate = z.number().min(0).max(1);

/** What a skill must reach to be chosen; what is left out demands nothing. */
export const StrategyFilters = z.object({
  minCompletionRate: rate.optional(),
  maxErrorRate: rate.optional(),
  maxLatencyP95Ms: z.number().min(0).optional(),
  adapterTypes: z.array(z.enum(adapterTypes)).min(1).optional(),
  requiredTags: z.array(z.string().min(1)).optional(),
});
export type StrategyFilters = z.infer<typeof StrategyFilters>;

/** How `select` and `run` choose among skills: filter, rank, take the first. */
export const Strategy = z.object({
  filters: StrategyFilters.default({}),
  sortBy: z.enum(["compositeScore", "completionRate", "latency", "tokenCost"]).default("compositeScore"),
  /** Left out: the best first, which is `asc` for latency and tokenCost. */
  order: z.enum(["asc", "desc"]).optional(),
  /** Left out: all. */
  topK: z.number().int().min(1).optional(),
});
export type Strategy = z.infer<typeof Strategy>;
