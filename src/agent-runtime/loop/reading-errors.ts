import type { AgentError, AgentErrorCode } from "../../contract/agent-error.ts";

/** Whether the content of a file had been looked at when this went wrong, or the file was refused unread. */
export function hasBegunReading({ code, reason }: AgentError): boolean {
  return found.has(code) || (code === "IOError" && reason === "not_text");
}

const found: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>([
  "SectionNotFound",
  "SkillBodyTooLarge",
  "InvalidFrontmatter",
]);
