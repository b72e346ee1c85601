import type { CountedShare, QueryLine } from "../../../contract/trigger-report.ts";
import { queryName } from "../../../levels/trigger/verdict/query-line.ts";
import { binomialTail } from "../../../shared/statistics/compare-counts.ts";
import { countedShare } from "./catalog-report.ts";
import { type IdOf, isRight, meantFor } from "./query-meaning.ts";

/** How often a judge changes its mind about the same requests, where nothing was edited. */
export function flipRateOf(
  once: readonly QueryLine[],
  again: readonly QueryLine[],
  idOf: IdOf,
): CountedShare | null {
  if (again.length === 0) return null;
  const firsts = new Map(once.map((line) => [queryName(line), line]));
  let flips = 0;
  let both = 0;
  for (const second of again) {
    const first = firsts.get(queryName(second));
    const meant = meantFor(second, idOf);
    const then = first === undefined ? null : isRight(first, meant);
    const now = isRight(second, meant);
    if (then === null || now === null) continue;
    both++;
    if (then !== now) flips++;
  }
  return countedShare(flips, both);
}

/** What chance alone gives more rarely than this is no chance. */
const rarely = 0.05;

/** Whether so many changes are more than a judge makes by itself; a judge that cannot contradict itself makes none. */
export function isAboveNoise(changes: number, of: number, flipRate: CountedShare | null): boolean {
  if (flipRate === null) return changes > 0;
  if (flipRate.rate === null) return false;
  return binomialTail(changes, of, flipRate.count / flipRate.of) < rarely;
}
