import type { CountedShare, QueryLine } from "../../../contract/trigger-report.ts";
import { queryName } from "../../../levels/trigger/verdict/query-line.ts";
import { binomialTail } from "../../../shared/statistics/compare-counts.ts";
import { wilson } from "../../../shared/statistics/intervals.ts";
import { countedShare } from "./catalog-report.ts";
import { isRight, meantFor, type ResolveId } from "./query-meaning.ts";

/** How often a judge contradicts itself about the same requests without any edit. */
export function measureFlipRate(
  once: readonly QueryLine[],
  again: readonly QueryLine[],
  resolveId: ResolveId,
): CountedShare | null {
  if (again.length === 0) return null;
  const firsts = new Map(once.map((line) => [queryName(line), line]));
  let flips = 0;
  let both = 0;
  for (const second of again) {
    const first = firsts.get(queryName(second));
    const meant = meantFor(second, resolveId);
    const then = first === undefined ? null : isRight(first, meant);
    const now = isRight(second, meant);
    if (then === null || now === null) continue;
    both++;
    if (then !== now) flips++;
  }
  return countedShare(flips, both);
}

/** Below this probability, changes are not considered noise. */
const significance = 0.05;

/**
 * Whether there are more changes than the judge causes by itself. A deterministic judge causes none. How often it flips is known
 * from few requests only, so it counts as the most it may well be: 0 of 5 is up to 43 %.
 */
export function isAboveNoise(changes: number, of: number, flipRate: CountedShare | null): boolean {
  if (flipRate === null) return changes > 0;
  const most = wilson(flipRate.count, flipRate.of)?.upper ?? 1;
  return binomialTail(changes, of, most) < significance;
}
