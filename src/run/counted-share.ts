import type { CountedShare } from "../contract/catalog-report.ts";
import { wilson } from "../statistics/wilson.ts";

/** A share with what it can be, given how few were counted. */
export function countedShare(count: number, of: number): CountedShare {
  const round = (value: number) => Number(value.toFixed(4));
  const bounds = wilson(count, of);
  return {
    count,
    of,
    rate: of === 0 ? null : round(count / of),
    interval: bounds && { lower: round(bounds.lower), upper: round(bounds.upper) },
  };
}
