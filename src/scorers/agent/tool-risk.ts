import { foreignPrefix } from "../../contract/agent-recount.ts";
import { riskOfSkillTool, riskOfTool } from "../../contract/agent-tools.ts";

/** What harm a tool can do; null for one of another agent, of which we know nothing. */
export function riskOf(tool: string): "low" | "medium" | "high" | null {
  if (tool.startsWith(foreignPrefix)) return null;
  return Object.hasOwn(riskOfTool, tool) ? riskOfTool[tool as keyof typeof riskOfTool] : riskOfSkillTool;
}
