import type { Config } from "../../contract/config.ts";
import type { ConversationSkill } from "../../contract/conversation-parts.ts";
import type { Skill, SkillTool } from "../../contract/skill.ts";
import { toolDeadlines } from "../../skills/targets/tool-deadline.ts";
import { cutPrompts } from "./cut-prompts.ts";
import { readBody } from "./read-body.ts";

export interface PromptEntry {
  skill: Skill;
  routed: ConversationSkill["routed"];
}

/** Skills with their prompts, cut to what there is room for, and their tools, ready to be called. */
export async function promptedSkills(
  entries: readonly PromptEntry[],
  budget: Config["prompt"],
): Promise<ConversationSkill[]> {
  const texts = await Promise.all(entries.map(({ skill }) => promptOf(skill)));
  const prompts = cutPrompts(texts, budget);
  return Promise.all(
    entries.map(async ({ skill, routed }, n) => {
      const { id, version, digest, controls, output, dir } = skill;
      const { text = "", truncated = false } = prompts[n] ?? {};
      return {
        id,
        version,
        digest,
        priority: controls.priority,
        routed,
        prompt: text,
        truncated,
        tools: await toolsOf(skill),
        output,
        dir,
      };
    }),
  );
}

/** Empty where it can no longer be read: the record then says that nothing of it went in. */
async function promptOf({ dir, instructions }: Skill): Promise<string> {
  if (instructions === null) return "";
  const read = await readBody({ dir, instructions });
  return read.ok ? read.body : "";
}

/** The tools that a skill declares, each with its deadline. */
export async function toolsOf(skill: Skill): Promise<ConversationSkill["tools"]> {
  if (skill.tools.length === 0) return [];
  const deadlines = await toolDeadlines(skill.dir);
  return skill.tools.map((tool) => hostedTool(skill, tool, deadlines(tool.name)));
}

/** A declared tool, ready to be called. */
export function hostedTool(
  { id, dir, digest }: Pick<Skill, "id" | "dir" | "digest">,
  { name, description, script, parameters }: SkillTool,
  timeoutMs: number | null,
): ConversationSkill["tools"][number] {
  return { skill: { id, dir, digest }, name, description, script, parameters, timeoutMs };
}
