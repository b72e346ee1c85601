import type { AgentError } from "../../contract/agent-error.ts";

/** Whether a run that met this can prove nothing any more: its skill changed, or its sandbox failed. */
export function endsRun({ code }: AgentError): boolean {
  return code === "SkillChanged" || code === "SandboxUnavailable";
}
