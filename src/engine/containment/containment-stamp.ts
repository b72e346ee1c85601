import { mcpTarget } from "../../adapters/mcp-target.ts";
import { wantsNoNetwork } from "../../adapters/wants-no-network.ts";
import type { Containment, ContainmentStamp } from "../../contract/containment.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";

/** How a result of this skill was contained; null where the skill runs elsewhere and no wall of ours is around it. */
export function containmentStamp(skill: UnitSkill, containment: Containment): ContainmentStamp | null {
  if (isRemote(skill)) return null;
  const { level, backend, network, unproven } = containment;
  const canClose = level === "strict" || level === "reduced";
  return { level, backend, network: canClose && wantsNoNetwork(skill) ? "none" : network, unproven };
}

function isRemote(skill: UnitSkill): boolean {
  const { config } = skill.adapter;
  return config.type === "http" || (config.type === "mcp" && mcpTarget(skill, config).kind === "remote");
}
