import type { Judgment } from "../../../contract/judge.ts";
import type { PositionBias } from "../../../contract/trigger-report.ts";
import { shareOf } from "../../../shared/statistics/share.ts";

export interface PositionFold {
  add(judgment: Judgment): void;
  /** Null where nobody chose among cards in an order that chance gave. */
  bias(): PositionBias | null;
}

/** Folds at which places of their lists the chosen cards stood. */
export function positionFold(): PositionFold {
  let of = 0;
  let first = 0;
  let last = 0;
  let expected = 0;
  const third = (count: number) => ({ ...shareOf(count, of), expected: expected / of });
  return {
    add(judgment) {
      if (!("chosen" in judgment) || typeof judgment.chosen !== "string") return;
      const { order = [], chosen } = judgment;
      const place = order.indexOf(chosen);
      if (place === -1 || order.length < 3) return; // fewer cards have no thirds
      const size = Math.round(order.length / 3);
      of++;
      expected += size / order.length;
      if (place < size) first++;
      if (place >= order.length - size) last++;
    },
    bias: () => (of === 0 ? null : { first: third(first), last: third(last) }),
  };
}
