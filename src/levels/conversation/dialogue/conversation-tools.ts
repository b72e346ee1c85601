import { plainLine } from "../../../agent-runtime/loop/quoted-text.ts";
import { shownName, toolSignature } from "../../../agent-runtime/loop/tool-signature.ts";
import type { ConversationSkill } from "../../../contract/conversation-parts.ts";
import type { HostedTool } from "../../../contract/tool-host.ts";
import { type ToolEnvelope, type ToolErrorCode, toolError } from "../../../contract/tool-result.ts";
import { inOrder } from "../../../shared/text/sort-and-group.ts";

/** The tool that a name means, or the error for the model. */
export type ResolvedTool = { ok: true; tool: HostedTool } | { ok: false; envelope: ToolEnvelope };

type Declaring = Pick<ConversationSkill, "id" | "tools">;

/** Finds tools of the selected skills by name. A name that two skills declare is an error. */
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

const maxAboutLength = 300;

/** The tools a model may call, as a prompt lists them: one line each, by skill and name, whatever a description contains. */
export function toolLines(skills: readonly Pick<ConversationSkill, "id" | "tools">[]): string[] {
  return skills
    .flatMap(({ id, tools }) => tools.map((tool) => ({ id, ...tool })))
    .sort((a, b) => inOrder(a.id, b.id) || inOrder(a.name, b.name))
    .map(({ id, name, description, parameters }) => {
      const about = plainLine(description.trim().replace(/\s+/g, " "), maxAboutLength);
      return `${toolSignature(name, parameters)}${about === "" ? "" : ` — ${about}`} @${shownName(id)}`;
    });
}
