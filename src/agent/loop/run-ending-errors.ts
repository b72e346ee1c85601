import type { AgentError } from "../../contract/agent-error.ts";

/** Whether a run that met this can prove nothing any more: its skill is another one, or its walls do not stand. */
export function endsRun({ code }: AgentError): boolean {
  return code === "SkillChanged" || code === "SandboxUnavailable";
}
