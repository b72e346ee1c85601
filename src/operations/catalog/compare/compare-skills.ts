import type { CountedShare } from "../../../contract/trigger-report.ts";
import { mcnemar } from "../../../shared/statistics/compare-counts.ts";
import { groupedBy, inOrder } from "../../../shared/text/sort-and-group.ts";
import {
  type ComparedQuery,
  type ComparedShare,
  type ComparedSkill,
  countedShare,
} from "./catalog-report.ts";
import { isAboveNoise } from "./own-noise.ts";

export interface SkillFacts {
  isEdited(skillId: string): boolean;
  /** How often the judge of a query contradicts itself; null where it cannot. */
  flipRateOf(query: ComparedQuery): CountedShare | null;
}

/** Compares each skill, the worst first. */
export function compareSkills(queries: readonly ComparedQuery[], facts: SkillFacts): ComparedSkill[] {
  const known = queries.filter(({ change }) => change !== "unknown");
  return [...groupedBy(known, ({ meantFor, skillId }) => meantFor ?? skillId)]
    .map(([skillId, own]) => compareSkill(skillId, own, facts))
    .sort((a, b) => net(a) - net(b) || b.lost - a.lost || inOrder(a.skillId, b.skillId));
}

function compareSkill(skillId: string, own: readonly ComparedQuery[], facts: SkillFacts): ComparedSkill {
  const gained = own.filter(({ change }) => change === "gained").length;
  const lost = own.filter(({ change }) => change === "lost" || change === "moved").length;
  const flipRate = own.map(facts.flipRateOf).find((rate) => rate !== null) ?? null;
  return {
    skillId,
    isEdited: facts.isEdited(skillId),
    queries: own.length,
    recall: comparedShare(own.filter(({ meantFor }) => meantFor !== null)),
    leftAlone: comparedShare(own.filter(({ meantFor }) => meantFor === null)),
    gained,
    lost,
    mcnemarP: Number(mcnemar(gained, lost).toPrecision(4)),
    verdict: skillVerdict(gained, lost, isAboveNoise(gained + lost, own.length, flipRate)),
  };
}

function comparedShare(own: readonly ComparedQuery[]): ComparedShare {
  const share = (right: readonly ComparedQuery["change"][]) =>
    countedShare(own.filter(({ change }) => right.includes(change)).length, own.length);
  return { before: share(["kept", "lost", "moved"]), after: share(["kept", "gained"]) };
}

function skillVerdict(gained: number, lost: number, isAbove: boolean): ComparedSkill["verdict"] {
  if (gained + lost === 0) return "same";
  if (!isAbove) return "inconclusive";
  if (gained === lost) return "same";
  return gained > lost ? "better" : "worse";
}

function net({ gained, lost }: ComparedSkill): number {
  return gained - lost;
}
