import { expect, test } from "vitest";
import { sampleInterval } from "../../store/samples.ts";
import { showBounds, showFact, showValue } from "./show-value.ts";

test.each([
  [null, "share", "–"],
  [true, undefined, "yes"],
  [false, "count", "no"],
  ["as it is", "ms", "as it is"],
  [0.95, "share", "95.0%"],
  [0.95918, "score", "0.9592"],
  [412.3, "ms", "412 ms"],
  [0.0042, "usd", "$0.0042"],
  [1240, "count", "1,240"],
  [1.5, "count", "1.5"],
  [24_000, "bytes", "24.0 KB"],
  [7, undefined, "7"],
] as const)("%j in %s is %s", (value, unit, shown) => {
  expect(showValue(value, unit)).toBe(shown);
});

test("a fact shows its interval in its unit, and none where its value is not known", () => {
  const interval = sampleInterval(0.675, 0.941, { cases: 20, trials: 60 });
  const label = "for cases like these (20 cases × 3)";

  expect(showFact({ label: "completion", value: 0.817, unit: "share", interval })).toBe(
    `81.7% [67.5–94.1] ${label}`,
  );
  expect(showFact({ label: "score", value: 0.8, unit: "score", interval })).toBe(
    `0.8 [0.675–0.941] ${label}`,
  );
  expect(showFact({ label: "completion", value: null, unit: "share", interval })).toBe("–");
  expect(showFact({ label: "model", value: "small" })).toBe("small");
  expect(showBounds({ lower: 100, upper: 2000 }, "ms")).toBe("100 ms–2.0 s");
  expect(showBounds({ lower: 148, upper: 204 }, "ms")).toBe("148–204 ms");
});
