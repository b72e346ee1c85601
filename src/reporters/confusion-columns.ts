import type { ConfusionRow } from "../contract/trigger-report.ts";

/** Every skill that requests were meant for or that was chosen, by id. */
export function confusionColumns(rows: readonly ConfusionRow[]): string[] {
  const ids = new Set<string>();
  for (const { intended, chosen } of rows) {
    if (intended !== null) ids.add(intended);
    for (const id of Object.keys(chosen)) ids.add(id);
  }
  return [...ids].sort();
}

/** How often a row chose this skill. */
export function chosenOf({ chosen }: Pick<ConfusionRow, "chosen">, id: string): number {
  return Object.hasOwn(chosen, id) ? (chosen[id] ?? 0) : 0;
}
