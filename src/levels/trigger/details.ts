import * as z from "zod";
import { JudgeName, QuerySummary, TriggerResult } from "../../contract/trigger-report.ts";
import { querySides, TriggerGate } from "../../contract/triggering.ts";

/** What one judgment of a query stores of its own; its output is the judgment itself. */
export const TriggerDetails = z.object({
  side: z.enum(querySides),
  outcome: z.enum(["yes", "no", "invalid", "error"]),
  /** The skill that was chosen, null for none; absent where only one was asked about. */
  chosen: z.string().nullable().optional(),
});
export type TriggerDetails = z.infer<typeof TriggerDetails>;

/** What the queries of a skill came to over all their repeats, besides its metrics. Rounded as it is written. */
export const TriggerSubjectDetails = TriggerResult.omit({
  skillId: true,
  skillDigest: true,
}).extend({
  /** What the skill's own file asks of its figures. */
  gate: TriggerGate,
  cardSha256: z.string(),
  catalogSha256: z.string(),
  /** Every query with its verdict, in the order of the plan. */
  queries: z.array(QuerySummary),
});
export type TriggerSubjectDetails = z.infer<typeof TriggerSubjectDetails>;

/** What `run.settings` says about trigger tests, under `triggering`. */
export const TriggerSettings = z.object({
  repeats: z.number(),
  threshold: z.number(),
  /** Who would have judged the skills that were skipped. */
  skipped: z.array(
    z.object({ skillId: z.string(), skillDigest: z.string(), judge: JudgeName, threshold: z.number() }),
  ),
});
export type TriggerSettings = z.infer<typeof TriggerSettings>;
