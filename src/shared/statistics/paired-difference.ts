import { bootstrap, ratioOf } from "./bootstrap.ts";
import type { Bounds } from "./bounds.ts";

export interface PairedDifference {
  mean: number;
  /** Null below two pairs, where nothing can vary. */
  interval: Bounds | null;
}

/** The mean of differences, one per pair, and how far it could be off had other pairs of the same kind been drawn. */
export function pairedDifference(differences: Float64Array, seed: number): PairedDifference | null {
  if (differences.length === 0) return null;
  const ones = new Float64Array(differences.length).fill(1);
  const mean = ratioOf(differences, ones);
  const bounds = bootstrap(differences.length, mean, seed);
  return {
    mean: withoutDust(mean(Uint32Array.from(differences.keys()))),
    interval: bounds && { lower: withoutDust(bounds.lower), upper: withoutDust(bounds.upper) },
  };
}

/** A third added and taken away again leaves a trace in floating point that must not decide on which side of 0 a bound lies. */
function withoutDust(value: number): number {
  return Math.round(value * 1e12) / 1e12 + 0;
}
