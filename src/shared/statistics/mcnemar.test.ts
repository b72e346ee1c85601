import fc from "fast-check";
import { expect, test } from "vitest";
import { mcnemar } from "./compare-counts.ts";

/** The same probability in whole numbers: twice the sum of C(n,0)…C(n,k), over 2ⁿ. */
function slowly(gained: number, lost: number): number {
  const pairs = BigInt(gained + lost);
  const fewer = BigInt(Math.min(gained, lost));
  let ways = 1n;
  let sum = 1n;
  for (let chosen = 1n; chosen <= fewer; chosen++) {
    ways = (ways * (pairs - chosen + 1n)) / chosen;
    sum += ways;
  }
  const digits = 10n ** 30n;
  return Math.min(1, Number((2n * sum * digits) / 2n ** pairs) / 1e30);
}

test.each([
  [0, 0, 1],
  [1, 0, 1],
  [0, 5, 0.0625],
  [6, 0, 0.03125],
  [1, 9, 0.021484375],
  [8, 8, 1],
  [4, 5, 1],
  [3, 12, 0.03515625],
])("%i gained and %i lost give p = %d", (gained, lost, p) => {
  expect(mcnemar(gained, lost)).toBeCloseTo(p, 14);
});

test("it is what counting every split gives, whichever side lost", () => {
  const count = fc.integer({ min: 0, max: 120 });
  fc.assert(
    fc.property(count, count, (gained, lost) => {
      expect(mcnemar(gained, lost)).toBeCloseTo(slowly(gained, lost), 12);
      expect(mcnemar(lost, gained)).toBe(mcnemar(gained, lost));
    }),
  );
});

test("large counts neither overflow nor become nothing", () => {
  expect(mcnemar(50_000, 50_000)).toBe(1);
  // a deviation of 2 standard deviations less half a pair: the normal distribution gives 0.0456
  expect(mcnemar(500_000 - 1000, 500_000 + 1000)).toBeCloseTo(0.0456, 3);
  expect(mcnemar(0, 1_000_000)).toBe(0);
});
