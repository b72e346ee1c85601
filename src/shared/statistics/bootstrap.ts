import type { Bounds } from "./bounds.ts";
import { seededRandom } from "./seeded-random.ts";

const resamples = 2000;
const lowerRank = Math.floor(0.025 * resamples);
const upperRank = Math.ceil(0.975 * resamples) - 1;

/** A figure of one resample, given the clusters that were drawn; some stand there twice, some not at all. */
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
export function ratioOf(sums: Float64Array, weights: Float64Array): Statistic {
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
