import { bootstrap, ratioOf } from "./bootstrap.ts";
import type { Bounds } from "./bounds.ts";
import { wilson } from "./wilson.ts";

/** A rate over cases that were tried once or several times, and how its interval was found. */
export interface CasesRate {
  value: number | null;
  interval: Bounds | null;
  method: "wilson" | "bootstrap";
}

/** How many of what counts passed, by case. Trials of one case are alike: with several, whole cases are drawn. */
export function rateOverCases(
  passed: readonly number[],
  counted: readonly number[],
  seed: number,
): CasesRate {
  const sum = total(counted);
  const value = sum === 0 ? null : total(passed) / sum;
  const isSingle = counted.every((count) => count <= 1);
  if (isSingle) return { value, interval: wilson(total(passed), sum), method: "wilson" };
  const rates = counted.flatMap((count, at) => (count > 0 ? [(passed[at] ?? 0) / count] : []));
  // Cases that are all alike stay so however they are drawn; how few they are must still show.
  const areAlike = rates.length > 1 && rates.every((rate) => rate === rates[0]);
  if (value !== null && (value === 0 || value === 1 || areAlike))
    return { value, interval: wilson(value * rates.length, rates.length), method: "wilson" };
  return { value, interval: ratioInterval(passed, counted, seed), method: "bootstrap" };
}

/** The interval of a sum over a sum, by drawing whole cases; null where there are fewer than two that count. */
export function ratioInterval(
  numerators: readonly number[],
  denominators: readonly number[],
  seed: number,
): Bounds | null {
  const counted = [...denominators.keys()].filter((n) => (denominators[n] ?? 0) > 0);
  const sums = Float64Array.from(counted, (n) => numerators[n] ?? 0);
  const weights = Float64Array.from(counted, (n) => denominators[n] ?? 0);
  return bootstrap(counted.length, ratioOf(sums, weights), seed);
}

export function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
