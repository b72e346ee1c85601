import * as z from "zod";
import { TokenCost } from "./report.ts";
import { Strategy } from "./strategy.ts";

const figure = z.number().nullable();

/** What a skill is chosen by, over all the benchmarks it was evaluated with. */
export const SelectionMetrics = z.object({
  completionRate: figure,
  errorRate: figure,
  latencyP95Ms: figure,
  compositeScore: figure,
  tokenCost: TokenCost.nullable(),
});
export type SelectionMetrics = z.infer<typeof SelectionMetrics>;

export const SelectedSkill = z.object({
  rank: z.number().int().min(1),
  skillId: z.string(),
  skillVersion: z.string(),
  /** Its `skill.json`, relative to the current directory where it lies inside it. */
  path: z.string().min(1),
  /** The figure it was ranked by; null where it is not known. */
  sortValue: figure,
  /** Whether the skill has changed since it was evaluated. */
  stale: z.boolean(),
  metrics: SelectionMetrics,
});
export type SelectedSkill = z.infer<typeof SelectedSkill>;

export const RejectedSkill = z.object({ skillId: z.string(), reasons: z.array(z.string()) });
export type RejectedSkill = z.infer<typeof RejectedSkill>;

/** What came of choosing: the strategy as it was applied, the chosen in order, and why the others were not. */
export const Selection = z.object({
  strategy: Strategy.extend({ order: z.enum(["asc", "desc"]), topK: z.number().int().min(1).nullable() }),
  selected: z.array(SelectedSkill),
  rejected: z.array(RejectedSkill),
});
export type Selection = z.infer<typeof Selection>;

/** The document of `select`, which `select --from` reads again. */
export const SelectionFile = Selection.extend({
  schemaVersion: z.literal(1),
  command: z.literal("select"),
});
export type SelectionFile = z.infer<typeof SelectionFile>;
