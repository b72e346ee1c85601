import * as z from "zod";
import type { Level } from "../../contract/level.ts";
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
  skipped: true,
  gate: true,
}).extend({
  metrics: TriggerResult.shape.metrics.unwrap(),
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

/** Changes when the same judgment would be scored in another way. */
export const scoringRules = 2;

/** Does a skill load when it should, and only then? A judge is shown a request, as often as there are trials. */
export const triggerLevel: Level = {
  name: "trigger",
  nouns: { case: ["query", "queries"], subject: "skill" },
  details: TriggerDetails,
  caseTitle: ({ input, expected }) =>
    typeof input === "string"
      ? `${(expected as { side?: string } | null)?.side ?? ""} “${input}”`.trim()
      : null,
  // Over queries, each with one verdict of all its trials.
  metrics: [
    // What has no verdict counts nowhere, in `history` either.
    { name: "decidedPassRate", unit: "share", better: "up" },
    { name: "passRate", unit: "share", better: "up", isCompared: true, isMain: true },
    { name: "recall", unit: "share", better: "up", isCompared: true },
    { name: "precision", unit: "share", better: "up", isCompared: true },
    { name: "mcc", unit: "score", better: "up", isCompared: true, isMain: true },
    { name: "latencyP95Ms", unit: "ms", better: "down", isCompared: true },
    { name: "specificity", unit: "share", better: "up" },
    { name: "f1", unit: "score", better: "up" },
    { name: "accuracy", unit: "share", better: "up" },
    { name: "balancedAccuracy", unit: "share", better: "up" },
    { name: "coverage", unit: "share", better: "up" },
    { name: "invalidRate", unit: "share", better: "down" },
    { name: "usd", unit: "usd", better: "down" },
    { name: "failedQueries", unit: "count", better: "down" },
  ],
  // As many valid trials as a query needs for a verdict.
  quorum: 0.8,
};
