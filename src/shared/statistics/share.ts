import type { Bounds } from "./bounds.ts";
import { wilson } from "./wilson.ts";

/** A share of things that were counted, with its 95 % Wilson interval; null where nothing was. */
export interface Share {
  count: number;
  of: number;
  rate: number | null;
  interval: Bounds | null;
}

export function shareOf(count: number, of: number): Share {
  return { count, of, rate: of === 0 ? null : count / of, interval: wilson(count, of) };
}
