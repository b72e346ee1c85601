import type { AgentError } from "../../contract/agent-error.ts";
import type { PathRefusal } from "../../shared/files/path-guard.ts";

/** What the guard of paths said, as an error of an agent. */
export function errorOfPath({ code, reason, message }: PathRefusal): AgentError {
  return { code, message, reason };
}
