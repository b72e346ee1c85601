import { AgentDetails } from "../../contract/agent-details.ts";
import type { Level, Metric } from "../../contract/level.ts";
import { agentRows } from "./agent-eval-options.ts";
import { agentView } from "./agent-view.ts";

/** What agents and conversations are measured by. */
export const caseMetrics: readonly Metric[] = [
  { name: "completionRate", label: "completion", unit: "share", better: "up" },
  { name: "passRate", label: "pass rate", unit: "share", better: "up", isCompared: true, isMain: true },
  { name: "recall", label: "trigger recall", unit: "share", better: "up", isCompared: true, isMain: true },
  { name: "precision", label: "trigger precision", unit: "share", better: "up", isCompared: true },
  { name: "latencyP95Ms", label: "P95 latency", unit: "ms", better: "down", isCompared: true },
  { name: "partialScore", label: "partial score", unit: "score", better: "up" },
  { name: "errorRate", label: "error rate", unit: "share", better: "down" },
  { name: "compositeScore", label: "composite score", unit: "score", better: "up" },
];

/** Does an agent choose the right skills and use them as it must? Decided from the log of its run. */
export const agentLevel: Level = {
  name: "agent",
  options: agentRows,
  view: agentView,
  nouns: { case: ["case", "cases"], subject: "model" },
  details: AgentDetails,
  metrics: [
    ...caseMetrics,
    { name: "triggerPrecision", label: "trigger precision", unit: "share", better: "up" },
    { name: "triggerRecall", label: "trigger recall", unit: "share", better: "up" },
    { name: "firstPassJson", label: "valid JSON on first attempt", unit: "share", better: "up" },
    { name: "extractedRate", label: "JSON extracted from text", unit: "share", better: "down" },
    { name: "finalJson", label: "valid JSON in the end", unit: "share", better: "up" },
  ],
};
