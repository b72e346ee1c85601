import type { Sandbox, SkillCommand } from "../contract/sandbox.ts";
import type { McpRoute } from "./mcp-link.ts";
import { ProcessLink } from "./mcp-process-link.ts";

/** A server of its own for every connection, as a process of the skill. */
export function processRoute(
  sandbox: Sandbox,
  command: Omit<SkillCommand, "deadlineMs">,
  maxOutputBytes: number,
): McpRoute<ProcessLink> {
  return {
    open: () => new ProcessLink(sandbox.start({ ...command, deadlineMs: null }), maxOutputBytes),
    instead: () => null,
    keep: () => {},
    isForgotten: () => false,
    async [Symbol.asyncDispose]() {},
  };
}
