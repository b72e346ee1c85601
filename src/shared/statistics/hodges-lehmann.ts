import { z95 } from "./distributions.ts";
import type { Bounds } from "./intervals.ts";

export interface ShiftEstimate {
  estimate: number;
  /** Null below six values, where no 95 % interval exists. */
  interval: Bounds | null;
}

/** Averages of all pairs grow with the square; of more values than this, evenly spread ones stand for the rest. */
const maxValues = 1500;
/** Up to here the ranks of Wilcoxon are counted, beyond they are as good as normal. */
const maxCounted = 60;

/** The estimate of Hodges and Lehmann: the median of the averages of all pairs, each value with itself included, and its 95 % interval. */
export function hodgesLehmann(values: Float64Array): ShiftEstimate {
  const some = thinned(values.slice().sort());
  const averages = new Float64Array((some.length * (some.length + 1)) / 2);
  let at = 0;
  for (let first = 0; first < some.length; first++)
    for (let second = first; second < some.length; second++)
      averages[at++] = ((some[first] as number) + (some[second] as number)) / 2;
  averages.sort();
  const middle = averages.length / 2;
  const estimate =
    ((averages[Math.ceil(middle) - 1] as number) + (averages[Math.floor(middle)] as number)) / 2;
  const rank = lowerRank(values.length, some.length);
  const interval =
    rank === 0
      ? null
      : { lower: averages[rank - 1] as number, upper: averages[averages.length - rank] as number };
  return { estimate, interval };
}

function thinned(sorted: Float64Array): Float64Array {
  if (sorted.length <= maxValues) return sorted;
  const step = sorted.length / maxValues;
  return Float64Array.from({ length: maxValues }, (_, at) => sorted[Math.floor((at + 0.5) * step)] as number);
}

/** Which of the ordered averages is the lower bound, from 1; 0 where none is. */
function lowerRank(count: number, kept: number): number {
  if (count <= maxCounted) return countedRank(count);
  const pairs = (count * (count + 1)) / 2;
  const spread = Math.sqrt((pairs * (2 * count + 1)) / 12);
  const share = (pairs / 2 - z95 * spread) / pairs;
  return Math.max(1, Math.floor((share * kept * (kept + 1)) / 2));
}

/** The largest rank that the sum of the signed ranks stays below with a chance of at most 2.5 %. */
function countedRank(count: number): number {
  const pairs = (count * (count + 1)) / 2;
  const ways = new Float64Array(pairs + 1);
  ways[0] = 1;
  for (let rank = 1; rank <= count; rank++)
    for (let s = pairs; s >= rank; s--) ways[s] = (ways[s] as number) + (ways[s - rank] as number);
  let below = 0;
  for (let rank = 0; ; rank++) {
    below += (ways[rank] as number) * 2 ** -count;
    if (below > 0.025) return rank;
  }
}
