import type { RoutedSkill, RoutingSettings } from "../contract/routing.ts";
import { roundScore } from "./likeness.ts";

export interface Selection {
  /** The selected by rank, then the others in the same order. */
  skills: RoutedSkill[];
  margin: number | null;
  closeCall: boolean;
}

const closeMargin = 0.05;

/**
 * Writes to each skill whether it is chosen and, if not, why: by score, of one group at most, and never just to fill up.
 * Written to, not copied: there may be thousands, and they were made for this request alone.
 */
export function selectSkills(
  scored: readonly RoutedSkill[],
  { minScore, k }: Pick<RoutingSettings, "minScore" | "k">,
): Selection {
  const ordered = [...scored].sort(byRank);
  const best = ordered.find(({ excluded, score, group }) => excluded === null && score >= minScore && group);
  const selected: RoutedSkill[] = [];
  const others: RoutedSkill[] = [];
  for (const skill of ordered) {
    if (skill.excluded === null) {
      if (skill.score < minScore) skill.excluded = "below-threshold";
      else if (skill.group && skill.group !== best?.group) skill.excluded = "group-mutex";
      else if (selected.length >= k) skill.excluded = "beyond-k";
    }
    if (skill.excluded !== null) others.push(skill);
    else skill.rank = selected.push(skill);
    skill.selected = skill.excluded === null;
  }
  const [first, second] = selected;
  const margin = first && second ? roundScore(first.score - second.score) : null;
  return { skills: [...selected, ...others], margin, closeCall: margin !== null && margin < closeMargin };
}

/** Score, then priority, then id by code unit. */
export function byRank(
  a: Pick<RoutedSkill, "id" | "score" | "priority">,
  b: Pick<RoutedSkill, "id" | "score" | "priority">,
): number {
  return b.score - a.score || b.priority - a.priority || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
