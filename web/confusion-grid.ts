import type { ConfusionRow } from "../src/contract/trigger-report.ts";
import { chosenOf, confusionColumns } from "../src/reporters/confusion-columns.ts";

/** Requests meant for one skill, and how often each skill was chosen for them. */
export interface GridRow {
  /** Null: meant for nobody. */
  intended: string | null;
  /** One per column: the skills, then NONE, then undecided where there is such a column. */
  counts: readonly number[];
  /** All requests of the row, also those given to a skill that had no room. */
  total: number;
  /** The column that would be right. */
  right: number;
}

/** A confusion matrix with the same skills in the same order down and across. */
export interface ConfusionGrid {
  skills: readonly string[];
  rows: readonly GridRow[];
  /** Whether some requests have no choice that most answers agree on. */
  hasUndecided: boolean;
  /** Skills that had no room. */
  leftOut: number;
}

/** Lays plain rows out as a matrix; of too many skills those that were mistaken most. */
export function confusionGrid(rows: readonly ConfusionRow[], atMost = 100): ConfusionGrid {
  const all = confusionColumns(rows);
  const skills = all.length <= atMost ? all : mostMistaken(all, rows, atMost);
  const places = new Map(skills.map((skill, place) => [skill, place]));
  const placeOf = (intended: string | null) =>
    intended === null ? skills.length : (places.get(intended) ?? -1);
  const shown = rows.filter(({ intended }) => placeOf(intended) !== -1);
  const hasUndecided = shown.some(({ undecided }) => undecided > 0);
  return {
    skills,
    rows: shown
      .map((row): GridRow => {
        const { intended, chosen, none, undecided } = row;
        const counts = [...skills.map((skill) => chosenOf(row, skill)), none];
        if (hasUndecided) counts.push(undecided);
        const total = Object.values(chosen).reduce((sum, count) => sum + count, none + undecided);
        return { intended, counts, total, right: placeOf(intended) };
      })
      .sort((a, b) => a.right - b.right),
    hasUndecided,
    leftOut: all.length - skills.length,
  };
}

/** The skills with the most requests that went wrong, to them or from them, in the order they stood in. */
function mostMistaken(skills: readonly string[], rows: readonly ConfusionRow[], atMost: number): string[] {
  const mistaken = new Map(skills.map((skill) => [skill, 0]));
  for (const { intended, chosen } of rows)
    for (const [skill, count] of Object.entries(chosen)) {
      if (skill === intended) continue;
      mistaken.set(skill, (mistaken.get(skill) ?? 0) + count);
      if (intended !== null) mistaken.set(intended, (mistaken.get(intended) ?? 0) + count);
    }
  const worst = [...mistaken].sort((a, b) => b[1] - a[1]).slice(0, atMost);
  const kept = new Set(worst.map(([skill]) => skill));
  return skills.filter((skill) => kept.has(skill));
}
