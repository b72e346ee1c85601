import * as z from "zod";
import { JudgeName, QuerySummary, TriggerResult } from "../../contract/trigger-report.ts";
import { querySides, TriggerGate } from "../../contract/triggering.ts";

/** The details of one judgment; its output is the judgment itself. */
export const TriggerDetails = z.object({
  side: z.enum(querySides),
  outcome: z.enum(["yes", "no", "invalid", "error"]),
  /** The skill that was chosen, null for none; absent where only one was asked about. */
  chosen: z.string().nullable().optional(),
});
export type TriggerDetails = z.infer<typeof TriggerDetails>;

/** The results of a skill's queries over all repeats, besides its metrics. Rounded as written. */
export const TriggerSubjectDetails = TriggerResult.omit({
  skillId: true,
  skillDigest: true,
}).extend({
  /** The gate in the skill's own file. */
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
