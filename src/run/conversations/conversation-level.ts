import { AgentDetails } from "../../contract/agent-details.ts";
import type { Level } from "../../contract/level.ts";
import { agentRows } from "../agents/agent-eval-options.ts";
import { caseMetrics } from "../agents/case-suite.ts";
import { conversationView } from "./conversation-view.ts";

/** Does a model with the prompts and tools of skills hold the conversation that was asked for? */
export const conversationLevel: Level = {
  name: "conversation",
  options: agentRows,
  view: conversationView,
  nouns: { case: ["case", "cases"], subject: "model" },
  details: AgentDetails,
  metrics: caseMetrics,
};
