import type { ConversationSkill } from "../../../contract/conversation-parts.ts";
import type { HostedTool } from "../../../contract/tool-host.ts";
import { type ToolEnvelope, type ToolErrorCode, toolError } from "../../../contract/tool-result.ts";
import { inOrder } from "../../../shared/async/in-order.ts";

/** The tool that a name means, or the error for the model. */
export type ResolvedTool = { ok: true; tool: HostedTool } | { ok: false; envelope: ToolEnvelope };

type Declaring = Pick<ConversationSkill, "id" | "tools">;

/** Knows the tools of the selected skills by their names. Nobody wins where two have one name, least of all in silence. */
export function toolResolver(
  skills: readonly Declaring[],
  builtIns: readonly string[],
): (name: string) => ResolvedTool {
  const owners = new Map<string, Map<string, HostedTool>>();
  for (const { id, tools } of skills)
    for (const tool of tools) {
      const declared = owners.get(tool.name) ?? new Map<string, HostedTool>();
      owners.set(tool.name, declared);
      if (!declared.has(id)) declared.set(id, tool);
    }
  const own = new Set(builtIns);
  const isPlain = (name: string) => owners.get(name)?.size === 1 && !own.has(name);

  return (name) => {
    const declared = owners.get(name);
    if (declared === undefined) {
      const available = [...owners.keys()].filter(isPlain).sort(inOrder);
      return refused(
        "unknown-tool",
        `${name} is not available; available: ${available.join(", ") || "none"}`,
      );
    }
    const [tool] = declared.values();
    if (tool !== undefined && isPlain(name)) return { ok: true, tool };
    const all = [...(own.has(name) ? ["(built-in)"] : []), ...[...declared.keys()].sort(inOrder)];
    return refused("ambiguous-tool", `${name} is declared by ${all.join(", ")}`);
  };
}

function refused(code: ToolErrorCode, sentence: string): ResolvedTool {
  return { ok: false, envelope: toolError(code, sentence) };
}
