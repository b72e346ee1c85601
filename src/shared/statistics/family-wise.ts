import { normalTail } from "./distributions.ts";

/**
 * Holm's step-down correction: each p-value as it counts among all of them, in the given order. To call nothing by mistake
 * with a chance of at least 1 − α, call what is at most α.
 */
export function holm(pValues: readonly number[]): number[] {
  const ascending = [...pValues.keys()].sort((a, b) => (pValues[a] ?? 1) - (pValues[b] ?? 1));
  const adjusted = new Array<number>(pValues.length).fill(1);
  let highest = 0;
  for (const [rank, at] of ascending.entries()) {
    highest = Math.max(highest, Math.min(1, (pValues.length - rank) * (pValues[at] ?? 1)));
    adjusted[at] = highest;
  }
  return adjusted;
}

/** How likely a rate this high is where the truth lies on the line: the one-sided score test over the effective n. */
export function aboveLine(rate: number, line: number, nEff: number): number {
  if (line <= 0) return 0;
  if (line >= 1) return 1;
  return normalTail((rate - line) / Math.sqrt((line * (1 - line)) / nEff));
}
