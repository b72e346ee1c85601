import { AgentDetails } from "../../contract/agent-details.ts";
import type { Level, Metric } from "../../contract/level.ts";

/** What agents and conversations are measured by. */
export const caseMetrics: readonly Metric[] = [
  { name: "completionRate", unit: "share", better: "up" },
  { name: "passRate", unit: "share", better: "up", isCompared: true, isMain: true },
  { name: "recall", unit: "share", better: "up", isCompared: true, isMain: true },
  { name: "precision", unit: "share", better: "up", isCompared: true },
  { name: "latencyP95Ms", unit: "ms", better: "down", isCompared: true },
  { name: "partialScore", unit: "score", better: "up" },
  { name: "errorRate", unit: "share", better: "down" },
  { name: "compositeScore", unit: "score", better: "up" },
];

/** Does an agent choose the right skills and use them as it must? Decided from the log of its run. */
export const agentLevel: Level = {
  name: "agent",
  nouns: { case: ["case", "cases"], subject: "model" },
  details: AgentDetails,
  metrics: [
    ...caseMetrics,
    { name: "triggerPrecision", unit: "share", better: "up" },
    { name: "triggerRecall", unit: "share", better: "up" },
    { name: "firstPassJson", unit: "share", better: "up" },
    { name: "extractedRate", unit: "share", better: "down" },
    { name: "finalJson", unit: "share", better: "up" },
  ],
};
