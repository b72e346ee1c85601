import type { Floor } from "../contract/cache.ts";
import { percentile, spread } from "../shared/statistics/numbers.ts";

/** A vector with its length, so that it can be compared with many others. */
export interface Measured {
  vector: Float32Array;
  length: number;
}

export function measured(vector: Float32Array): Measured {
  return { vector, length: Math.sqrt(product(vector, vector)) };
}

/** How alike two directions are, −1 to 1; no number where one of them has no direction. */
export function cosine(a: Measured, b: Measured): number {
  return product(a.vector, b.vector) / (a.length * b.length);
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] as number) * (b[at] as number);
  return sum;
}

/**
 * The likeness from which on it is meaningful. Raw cosines mean nothing by themselves: models differ by more than 0.5 in what they
 * give to unrelated texts, so requests that no skill is for are compared with the same skills.
 */
export function measureFloor(probes: readonly Measured[], skills: readonly Measured[]): Floor {
  const cosines = probes.map((probe) => skills.map((skill) => cosine(probe, skill)));
  const best = cosines.map((ofProbe) => ofProbe.reduce((a, b) => Math.max(a, b))).sort((a, b) => a - b);
  return { lo: percentile(best, 0.95) ?? Number.NaN, sigma: spread(cosines.flat()) ?? Number.NaN };
}

/** Whether a floor separates related texts from others at all. */
export function isUsable({ lo, sigma }: Floor): boolean {
  return Number.isFinite(lo) && Number.isFinite(sigma) && roundScore(sigma) > 0;
}

/** How far a cosine is above the floor, 0 to 1. */
export function aboveFloor(cosine: number, { lo, sigma }: Floor): number {
  return Math.min(1, Math.max(0, (cosine - lo) / (3 * sigma)));
}

/** Six decimals, before anything is compared: the last bits of a sum are not the same on every machine. */
export function roundScore(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
