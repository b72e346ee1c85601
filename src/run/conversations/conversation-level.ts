import { AgentDetails } from "../../contract/agent-details.ts";
import type { Level } from "../../contract/level.ts";
import { caseMetrics } from "../agents/agent-level.ts";

/** Does a model with the prompts and tools of skills hold the conversation that was asked for? */
export const conversationLevel: Level = {
  name: "conversation",
  nouns: { case: ["case", "cases"], subject: "model" },
  details: AgentDetails,
  metrics: caseMetrics,
};
