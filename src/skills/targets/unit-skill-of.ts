import type { DescribedSkill } from "../../contract/skill.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";

/** A skill as the unit level calls it; null where it has no adapter. */
export function unitSkillOf(skill: DescribedSkill): Omit<UnitSkill, "digest"> | null {
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
