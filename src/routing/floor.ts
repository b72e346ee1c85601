import type { Floor } from "../contract/cache.ts";
import { percentile } from "../shared/statistics/percentile.ts";
import { spread } from "../shared/statistics/spread.ts";
import { cosine, type Measured } from "./cosine.ts";
import { roundScore } from "./round-score.ts";

/**
 * Where likeness begins to mean something. Raw cosines say nothing by themselves: models differ by more than 0.5 in what they
 * give to unrelated texts, so requests that no skill is for are held against the same skills.
 */
export function measureFloor(probes: readonly Measured[], skills: readonly Measured[]): Floor {
  const cosines = probes.map((probe) => skills.map((skill) => cosine(probe, skill)));
  const best = cosines.map((ofProbe) => ofProbe.reduce((a, b) => Math.max(a, b))).sort((a, b) => a - b);
  return { lo: percentile(best, 0.95) ?? Number.NaN, sigma: spread(cosines.flat()) ?? Number.NaN };
}

/** Whether a floor tells related texts from others at all. */
export function isUsable({ lo, sigma }: Floor): boolean {
  return Number.isFinite(lo) && Number.isFinite(sigma) && roundScore(sigma) > 0;
}

/** How far a cosine stands above the floor, 0 to 1. */
export function aboveFloor(cosine: number, { lo, sigma }: Floor): number {
  return Math.min(1, Math.max(0, (cosine - lo) / (3 * sigma)));
}
