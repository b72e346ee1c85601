import type { Level } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import { TriggerDetails } from "./details.ts";
import { triggerRows } from "./options.ts";
import { triggerView } from "./view.ts";

/** Changes when the same judgment would be scored in another way. */
export const scoringRules = 2;

/** Does a skill load when it should, and only then? A judge is asked about a request once per trial. */
export const triggerLevel: Level = {
  name: "trigger",
  options: triggerRows,
  view: triggerView,
  nouns: { case: ["query", "queries"], subject: "skill" },
  details: TriggerDetails,
  caseTitle: ({ input, expected }) =>
    typeof input === "string"
      ? `${(expected as { side?: string } | null)?.side ?? ""} “${input}”`.trim()
      : null,
  // Over queries, each with one verdict of all its trials.
  metrics: [
    // What has no verdict does not count, as in `history`.
    { name: "decidedPassRate", label: "pass rate of decided queries", unit: "share", better: "up" },
    { name: "passRate", label: "pass rate", unit: "share", better: "up", isCompared: true, isMain: true },
    { name: "recall", label: "recall", unit: "share", better: "up", isCompared: true, hit: isRecalled },
    { name: "precision", label: "precision", unit: "share", better: "up", isCompared: true },
    { name: "mcc", label: "MCC", unit: "score", better: "up", isCompared: true, isMain: true },
    { name: "latencyP95Ms", label: "P95 latency", unit: "ms", better: "down", isCompared: true },
    { name: "specificity", label: "specificity", unit: "share", better: "up" },
    { name: "f1", label: "F1", unit: "score", better: "up" },
    { name: "accuracy", label: "accuracy", unit: "share", better: "up" },
    { name: "balancedAccuracy", label: "balanced accuracy", unit: "share", better: "up" },
    { name: "coverage", label: "coverage", unit: "share", better: "up" },
    { name: "invalidRate", label: "unusable replies", unit: "share", better: "down" },
    { name: "usd", label: "cost", unit: "usd", better: "down" },
    { name: "failedQueries", label: "failed queries", unit: "count", better: "down" },
  ],
  // Figures over a smaller share of the queries say too little to gate on.
  gateCoverage: 0.9,
  failures: "failedQueries",
  // The share of valid trials that a query needs for a verdict.
  quorum: 0.8,
};

function isRecalled({ status, details }: CellResult): boolean | null {
  return (details as Partial<TriggerDetails> | null)?.side === "should_match" ? status === "pass" : null;
}
