import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { HostedTool } from "../../contract/tool-host.ts";
import { hostedTool } from "../../engine/skills/prompted-skills.ts";
import { UserError } from "../../shared/user-error.ts";
import { toolDeadlines } from "../../skills/targets/tool-deadline.ts";

/** A tool that a skill of an agent declares, ready to be called; null where it declares none of that name. */
export async function toolOfSkill(skill: AgentSkill, name: string): Promise<HostedTool | null> {
  const tool = skill.tools.find((declared) => declared.name === name);
  if (tool === undefined) return null;
  const { name: id, dir, digest, scripts } = skill;
  const hosted = hostedTool({ id, dir, digest }, tool, await deadlineOf(dir, name));
  return scripts.network === null
    ? hosted
    : { ...hosted, skill: { ...hosted.skill, network: scripts.network } };
}

/** An agent never sees the file that says so: one that is broken is for `doctor`, and the usual deadline holds. */
async function deadlineOf(dir: string, name: string): Promise<number | null> {
  try {
    return (await toolDeadlines(dir))(name);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}
