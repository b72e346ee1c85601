import type { ContainmentOptions } from "./request.ts";

type Demand = Pick<ContainmentOptions, "sandbox" | "floor" | "floorFile" | "network" | "allowNetwork">;

/** Whether more containment is required now than when a run was planned: its cells could then not be compared. */
export function isStronger(now: object, planned: object): boolean {
  return (
    isDemand(now) &&
    isDemand(planned) &&
    (levelRank(now) > levelRank(planned) || networkRank(now) > networkRank(planned))
  );
}

/** A plan with the stricter of what it requires and what was required when the run began: a stored run is never weakened by forgetting a flag. */
export function withStricter<Plan extends object>(plan: Plan, planned: object): Plan {
  if (!isDemand(plan) || !isDemand(planned)) return plan;
  const { sandbox, floor, floorFile } = levelRank(planned) > levelRank(plan) ? planned : plan;
  const { network, allowNetwork } = networkRank(planned) > networkRank(plan) ? planned : plan;
  return { ...plan, sandbox, floor, floorFile, network, allowNetwork };
}

/** What a plan requires, in words: `--sandbox strict, network none`. */
export function describeDemand(plan: object): string {
  if (!isDemand(plan)) return "no containment";
  const { sandbox, floor } = plan;
  const level = floor !== null && levelRank(plan) > ranks.indexOf(sandbox) ? floor : sandbox;
  return `sandbox ${level}, network ${["open", "restricted", "none"][networkRank(plan)]}`;
}

function isDemand(plan: object): plan is Demand {
  return "sandbox" in plan && "network" in plan && "allowNetwork" in plan && Array.isArray(plan.allowNetwork);
}

const ranks: readonly Demand["sandbox"][] = ["off", "process", "auto", "reduced", "strict"];

function levelRank({ sandbox, floor }: Demand): number {
  return Math.max(ranks.indexOf(sandbox), floor === null ? -1 : ranks.indexOf(floor));
}

function networkRank(demand: Demand): 0 | 1 | 2 {
  const { network, allowNetwork } = demand;
  if (allowNetwork.length > 0) return 1;
  if (network !== null) return network === "none" ? 2 : 0;
  return levelRank(demand) === ranks.indexOf("strict") ? 2 : 0;
}
