import { seededRandom } from "./seeded-random.ts";

/** More steps than this take longer than drawing. */
const maxSteps = 2e8;
const draws = 20_000;
const drawsAtOnce = 100;
/** With so many differences or fewer, all signs are tried: that is quicker than drawing, and exact. */
const maxTried = 15;

/**
 * The sign-flip test: how likely a sum at least as far from 0 is, if every difference could as well have had the other sign.
 * Sums exactly as far count half. `units` are whole numbers. With one trial per case this is the mid-p test of McNemar.
 */
export function signFlip(units: ArrayLike<number>, seed: number): number {
  const sizes = reduced(units);
  const total = sum(sizes);
  const common = sizes.length === 0 ? 1 : greatestDivisor(units);
  const distance = Math.abs(sum(units)) / common;
  if (distance === 0) return 1;
  const limit = (total - distance) / 2;
  if (sizes.length * limit > maxSteps) return signFlipOfAny(Float64Array.from(units), seed);
  return convolved(sizes.sort(), limit);
}

/**
 * The signs that are negative select a part of the differences; the sum is as far from 0 as observed, or farther, where what
 * they add up to is at most `limit` (or, mirrored, at least the rest). Ways to select each sum are counted one difference
 * after the other.
 */
function convolved(sizes: Float64Array, limit: number): number {
  const ways = new Float64Array(limit + 1);
  ways[0] = 1;
  let reached = 0;
  let halvings = 0;
  for (let at = 0; at < sizes.length; at++) {
    const size = sizes[at] as number;
    reached = Math.min(limit, reached + size);
    for (let s = reached; s >= size; s--) ways[s] = (ways[s] as number) + (ways[s - size] as number);
    // Doubling with every difference, they would overflow after a thousand.
    if (at % 500 === 499) {
      for (let s = 0; s <= reached; s++) ways[s] = (ways[s] as number) * 2 ** -500;
      halvings += 500;
    }
  }
  let beyond = 0;
  for (let s = 0; s < limit; s++) beyond += ways[s] as number;
  return Math.min(1, (2 * beyond + (ways[limit] as number)) * 2 ** (halvings - sizes.length));
}

/** The same test for values that are not multiples of a common unit: all signs of few values, drawn signs of many. */
export function signFlipOfAny(values: Float64Array, seed: number): number {
  const sizes = values.filter((value) => value !== 0).map(Math.abs);
  // In floating point, the same sum in another order differs by a hair.
  const hair = sum(sizes) * 1e-12;
  const distance = Math.abs(sum(values));
  if (distance <= hair) return 1;
  const weight = (flipped: number) => {
    const beyond = Math.abs(flipped) - distance;
    return beyond > hair ? 1 : beyond < -hair ? 0 : 0.5;
  };
  return sizes.length <= maxTried ? allSigns(sizes, weight) : drawnSigns(sizes, weight, seed);
}

function allSigns(sizes: Float64Array, weight: (flipped: number) => number): number {
  const sums = signTables(sizes);
  const [first = noSums, second = noSums] = sums;
  let beyond = 0;
  for (const low of first) for (const high of second) beyond += weight(low + high);
  return beyond / (first.length * second.length);
}

/** What was observed is one of the draws, so that p is never 0. */
function drawnSigns(sizes: Float64Array, weight: (flipped: number) => number, seed: number): number {
  const random = seededRandom(seed);
  const tables = signTables(sizes);
  const wordsPerDraw = Math.ceil(tables.length / 4);
  const words = new Uint32Array(wordsPerDraw * drawsAtOnce);
  let beyond = 0.5;
  for (let draw = 0; draw < draws; draw++) {
    const from = (draw % drawsAtOnce) * wordsPerDraw;
    if (from === 0) random.fillBelow(words, 2 ** 32);
    let flipped = 0;
    for (let at = 0; at < tables.length; at++) {
      const table = tables[at] as Float64Array;
      const bits = (words[from + (at >>> 2)] as number) >>> ((at & 3) * 8);
      flipped += table[bits & (table.length - 1)] as number;
    }
    beyond += weight(flipped);
  }
  return Math.min(1, beyond / (draws + 1));
}

const noSums = Float64Array.of(0);

/** For every eight values, the sums that their signs can give: a draw then looks up one number for all eight. */
function signTables(sizes: Float64Array): Float64Array[] {
  const tables: Float64Array[] = [];
  for (let from = 0; from < sizes.length; from += 8) {
    let sums = noSums;
    for (const size of sizes.subarray(from, from + 8)) {
      const longer = new Float64Array(2 * sums.length);
      for (let at = 0; at < sums.length; at++) {
        longer[2 * at] = (sums[at] as number) + size;
        longer[2 * at + 1] = (sums[at] as number) - size;
      }
      sums = longer;
    }
    tables.push(sums);
  }
  return tables;
}

/** The sizes of what is not 0, in the largest unit that they all are multiples of. */
function reduced(units: ArrayLike<number>): Float64Array {
  const divisor = greatestDivisor(units);
  const sizes: number[] = [];
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] as number;
    if (unit !== 0) sizes.push(Math.abs(unit) / divisor);
  }
  return Float64Array.from(sizes);
}

function greatestDivisor(units: ArrayLike<number>): number {
  let divisor = 0;
  for (let at = 0; at < units.length && divisor !== 1; at++)
    divisor = commonDivisor(Math.abs(units[at] as number), divisor);
  return divisor === 0 ? 1 : divisor;
}

/** Euclid's. */
export function commonDivisor(a: number, b: number): number {
  let [larger, smaller] = [a, b];
  while (smaller !== 0) [larger, smaller] = [smaller, larger % smaller];
  return larger;
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let at = 0; at < values.length; at++) total += values[at] as number;
  return total;
}
