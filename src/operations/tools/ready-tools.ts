import type { ConversationSkill } from "../../contract/conversation-parts.ts";
import { hostedTool } from "../../engine/skills/prompted-skills.ts";
import { digestFolder } from "../../skills/folder/digest.ts";
import { toolDeadlines } from "../../skills/targets/tool-deadline.ts";
import type { ToolTargets } from "../../skills/targets/tool-targets.ts";

/** Gets tools of a skill ready to be called: as its files are now, and with the deadlines it gives them. */
export async function readyTools(
  { skill, tools }: ToolTargets,
  { exclude, timeoutMs }: { exclude: readonly string[]; timeoutMs: number | null },
): Promise<ConversationSkill["tools"]> {
  const { digest } = await digestFolder(skill.dir, { ignore: [], exclude });
  const deadlines = await toolDeadlines(skill.dir);
  return tools.map((tool) => hostedTool({ ...skill, digest }, tool, timeoutMs ?? deadlines(tool.name)));
}
