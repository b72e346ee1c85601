import { z95 } from "./distributions.ts";
import { seededRandom } from "./seeded-random.ts";

/** Two ends of a 95 % interval. */
export interface Bounds {
  lower: number;
  upper: number;
}

/** The 95 % Wilson score interval of a rate; null where nothing was tried. */
export function wilson(successes: number, trials: number): Bounds | null {
  if (trials === 0) return null;
  const rate = successes / trials;
  const scale = 1 + z95 ** 2 / trials;
  const centre = (rate + z95 ** 2 / (2 * trials)) / scale;
  const reach = (z95 / scale) * Math.sqrt((rate * (1 - rate)) / trials + (z95 / (2 * trials)) ** 2);
  return {
    // At the ends of the scale the bound is the end itself; rounding would miss it by a hair.
    lower: successes === 0 ? 0 : Math.max(0, centre - reach),
    upper: successes === trials ? 1 : Math.min(1, centre + reach),
  };
}

const resamples = 2000;
const lowerRank = Math.floor(0.025 * resamples);
const upperRank = Math.ceil(0.975 * resamples) - 1;

/** A figure of one resample, given the clusters that were drawn; some occur twice, some not at all. */
export type Statistic = (drawn: Uint32Array) => number;

/** The 95 % percentile bootstrap over whole clusters; null below two, where nothing can vary. */
export function bootstrap(clusters: number, statistic: Statistic, seed: number): Bounds | null {
  if (clusters < 2) return null;
  const random = seededRandom(seed);
  const drawn = new Uint32Array(clusters);
  const figures = new Float64Array(resamples);
  for (let resample = 0; resample < resamples; resample++) {
    random.fillBelow(drawn, clusters);
    figures[resample] = statistic(drawn);
  }
  figures.sort();
  return { lower: figures[lowerRank] as number, upper: figures[upperRank] as number };
}

/** A mean as a statistic: the sums of the drawn clusters divided by their weights, both added up beforehand. */
export function ratioStatistic(sums: Float64Array, weights: Float64Array): Statistic {
  return (drawn) => {
    let sum = 0;
    let weight = 0;
    for (let draw = 0; draw < drawn.length; draw++) {
      const cluster = drawn[draw] as number;
      sum += sums[cluster] as number;
      weight += weights[cluster] as number;
    }
    return sum / weight;
  };
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
