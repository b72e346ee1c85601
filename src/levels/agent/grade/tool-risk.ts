import { foreignPrefix, type Risk, toolRisk } from "../../../contract/agent-tools.ts";

/** What harm a tool can do; null for one of another agent, of which we know nothing. */
export function riskOf(tool: string): Risk | null {
  return tool.startsWith(foreignPrefix) ? null : toolRisk(tool);
}
