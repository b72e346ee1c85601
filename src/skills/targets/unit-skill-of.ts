import type { DescribedSkill, SkillTool } from "../../contract/skill.ts";
import type { ToolConfig, UnitSkill } from "../../contract/unit-skill.ts";
import { toolDeadline } from "./tool-deadline.ts";

/** A skill as the unit level calls it; null where it has no adapter. */
export function toUnitSkill(skill: DescribedSkill): Omit<UnitSkill, "digest"> | null {
  if (skill.adapter === null || skill.manifest === null || skill.version === null) return null;
  const { type, entrypoint, config, inputSchema, outputSchema, sandbox, metadata } = skill.adapter;
  return {
    id: skill.id,
    name: skill.name,
    version: skill.version,
    description: skill.description,
    tags: skill.tags,
    dir: skill.dir,
    manifest: skill.manifest,
    adapter: { type, entrypoint, config },
    inputSchema,
    outputSchema,
    ...(sandbox !== undefined && { sandbox }),
    metadata,
  };
}

/** One tool of a prompt with tools, as the unit level calls it: `<skill>#<tool>`. */
export async function toolToUnitSkill(
  skill: DescribedSkill,
  tool: SkillTool,
): Promise<Omit<UnitSkill, "digest">> {
  const timeoutMs = await toolDeadline(skill.dir, tool.name);
  const config: ToolConfig = {
    type: "tool",
    function: tool.name,
    script: tool.script,
    parameters: tool.parameters,
    ...(timeoutMs !== null && { timeoutMs }),
    env: {},
    envKeys: [],
  };
  return {
    id: `${skill.id}#${tool.name}`,
    name: tool.name,
    version: skill.version ?? "0.0.0",
    description: tool.description,
    tags: skill.tags,
    dir: skill.dir,
    manifest: skill.manifest ?? skill.dir,
    adapter: { type: "tool", entrypoint: tool.script, config },
    inputSchema: tool.parameters ?? {},
    outputSchema: {},
    metadata: {},
  };
}
