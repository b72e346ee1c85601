import { agentRows } from "../../cases/case-options.ts";
import { caseMetrics } from "../../cases/case-suite.ts";
import { AgentDetails } from "../../contract/agent-details.ts";
import type { Level } from "../../contract/level.ts";
import { conversationView } from "./view.ts";

/** Does a model with the prompts and tools of skills hold the conversation that a case expects? */
export const conversationLevel: Level = {
  name: "conversation",
  options: agentRows,
  view: conversationView,
  nouns: { case: ["case", "cases"], subject: "model" },
  details: AgentDetails,
  failures: "failedCases",
  metrics: caseMetrics,
};
