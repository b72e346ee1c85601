import type { UnitSkill } from "../contract/unit-skill.ts";

/** A skill may give up the network for itself; nobody can open it from a skill's own file. */
export function wantsNoNetwork({ metadata }: Pick<UnitSkill, "metadata">): boolean {
  return String(metadata["eval-skills.allow-network"]) === "false";
}
