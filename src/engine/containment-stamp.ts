import { mcpTarget } from "../adapters/mcp-target.ts";
import type { Containment, ContainmentStamp } from "../contract/containment.ts";
import type { CellResult } from "../contract/result.ts";
import { type UnitSkill, wantsNoNetwork } from "../contract/unit-skill.ts";
import { pluralize } from "../shared/text/phrases.ts";

/** How a result of this skill was contained; null where the skill runs remotely, outside our sandbox. */
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

/** Counts results of an earlier part of a run that were contained differently from the rest. */
export function watchContainment({ level, network }: Containment): {
  watch(result: CellResult): void;
  warnings(): string[];
} {
  const now = describeReach({ level, network });
  const others = new Map<string, number>();
  return {
    watch(result) {
      const stamp = result.containment ?? null;
      const reach = stamp === null ? now : describeReach(stamp);
      if (reach !== now) others.set(reach, (others.get(reach) ?? 0) + 1);
    },
    warnings: () =>
      [...others].map(
        ([reach, count]) =>
          `${pluralize(count, "result")} of this run ran with containment ${reach}, the rest with ${now}`,
      ),
  };
}

function describeReach({ level, network }: Pick<ContainmentStamp, "level" | "network">): string {
  return `${level}, network: ${typeof network === "string" ? network : network.join(" ")}`;
}
