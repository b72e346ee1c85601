import type { Bounds } from "./bounds.ts";

/** The 95 % quantile of the normal distribution, both tails. */
export const z95 = 1.959963984540054;

/** The 95 % Wilson score interval of a rate; null where nothing was tried. */
export function wilson(successes: number, trials: number): Bounds | null {
  if (trials === 0) return null;
  const rate = successes / trials;
  const scale = 1 + z95 ** 2 / trials;
  const centre = (rate + z95 ** 2 / (2 * trials)) / scale;
  const reach = (z95 / scale) * Math.sqrt((rate * (1 - rate)) / trials + (z95 / (2 * trials)) ** 2);
  return {
    // At the ends of the scale the bound is the end itself; rounding would miss it by a hair.
    lower: successes === 0 ? 0 : centre - reach,
    upper: successes === trials ? 1 : centre + reach,
  };
}
