import type { AgentSkill } from "../../contract/agent-parts.ts";

/** Whether a model may choose a skill: its author lets it, or the user named it. */
export function isOffered(skill: AgentSkill, invoked: ReadonlySet<string>): boolean {
  return skill.modelInvocable || invoked.has(skill.name);
}
