import type { Containment, ContainmentStamp } from "../contract/containment.ts";
import type { CellResult } from "../contract/result.ts";
import { countOf } from "../shared/text/count-of.ts";

/** Watches results of an earlier part of a run for those that were made behind other walls than the rest will be. */
export function otherContainment({ level, network }: Containment): {
  watch(result: CellResult): void;
  warnings(): string[];
} {
  const now = reachOf({ level, network });
  const others = new Map<string, number>();
  return {
    watch(result) {
      const stamp = result.containment ?? null;
      const reach = stamp === null ? now : reachOf(stamp);
      if (reach !== now) others.set(reach, (others.get(reach) ?? 0) + 1);
    },
    warnings: () =>
      [...others].map(
        ([reach, count]) =>
          `${countOf(count, "result")} of this run ran with containment ${reach}, the rest with ${now}`,
      ),
  };
}

function reachOf({ level, network }: Pick<ContainmentStamp, "level" | "network">): string {
  return `${level}, network: ${typeof network === "string" ? network : network.join(" ")}`;
}
