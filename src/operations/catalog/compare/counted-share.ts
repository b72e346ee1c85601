import type { CountedShare } from "../../../contract/trigger-report.ts";
import { shareOf } from "../../../shared/statistics/share.ts";

/** A share with what it can be, given how few were counted. */
export function countedShare(count: number, of: number): CountedShare {
  const round = (value: number) => Number(value.toFixed(4));
  const { rate, interval } = shareOf(count, of);
  return {
    count,
    of,
    rate: rate && round(rate),
    interval: interval && { lower: round(interval.lower), upper: round(interval.upper) },
  };
}
