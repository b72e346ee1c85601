import { agentRows } from "../../cases/case-options.ts";
import { caseMetrics } from "../../cases/case-suite.ts";
import { AgentDetails } from "../../contract/agent-details.ts";
import type { Level } from "../../contract/level.ts";
import { agentView } from "./view.ts";

/** Does an agent choose the right skills and use them as expected? Decided from the log of its run. */
export const agentLevel: Level = {
  name: "agent",
  options: agentRows,
  view: agentView,
  nouns: { case: ["case", "cases"], subject: "model" },
  details: AgentDetails,
  failures: "failedCases",
  metrics: [
    ...caseMetrics,
    { name: "triggerPrecision", label: "trigger precision", unit: "share", better: "up" },
    { name: "triggerRecall", label: "trigger recall", unit: "share", better: "up" },
    { name: "firstPassJson", label: "valid JSON on first attempt", unit: "share", better: "up" },
    { name: "extractedRate", label: "JSON extracted from text", unit: "share", better: "down" },
    { name: "finalJson", label: "valid JSON in the end", unit: "share", better: "up" },
  ],
};
