import { describe, expect, test } from "vitest";
import type { Fact } from "../../contract/view.ts";
import { sampleInterval } from "../../store/samples.ts";
import { casesWords, describeIntervals, intervalKey, intervalLabel } from "./interval-words.ts";

const over = (cases: number, trials: number) => sampleInterval(0.2, 0.8, { cases, trials });
const rerun = sampleInterval(10, 40, { cases: 50, trials: 150, estimates: "this-suite" });

test.each([
  [over(20, 60), "for cases like these (20 cases × 3)"],
  [over(20, 20), "for cases like these (20 cases)"],
  [over(20, 57), "for cases like these (20 cases, 57 trials)"],
  [over(19, 57), "for cases like these (19 cases × 3), few cases"],
  [over(1, 1), "for cases like these (1 case), few cases"],
  [rerun, "for a rerun of these cases (50 cases × 3)"],
])("an interval says what it is about: %#", (interval, label) => {
  expect(intervalLabel(interval)).toBe(label);
});

test("few cases are marked wherever only what it rests on is shown", () => {
  expect([over(7, 7), over(30, 90)].map(casesWords)).toEqual(["7 cases, few", "30 cases"]);
});

describe("in a table", () => {
  const fact = (interval: Fact["interval"], value: number | null = 0.5): Fact => ({
    ...{ label: "Rate", unit: "share", value },
    ...(interval !== undefined && { interval }),
  });

  test("what most intervals are about is said once, and the others say it themselves", () => {
    const others = [fact(over(20, 60)), fact(over(20, 20))];
    const facts = [fact(over(8, 24)), ...others, fact(rerun), fact(null)];
    const { words, beside } = intervalKey(facts);

    expect(words).toBe("[95% interval] for cases like these (20 cases × 3)");
    expect(facts.map(beside)).toEqual([
      "(8 cases, few)",
      "",
      "",
      "for a rerun of these cases (50 cases × 3)",
      "",
    ]);
  });

  test("that cases are few is said once where they all are", () => {
    const { words, beside } = intervalKey([fact(over(8, 24)), fact(over(8, 8)), fact(over(6, 6))]);

    expect(words).toBe("[95% interval] for cases like these (8 cases × 3), few cases");
    expect(beside(fact(over(6, 6)))).toBe("(6 cases)");
  });

  test("without an interval there is nothing to say, nor of a figure that is not known", () => {
    expect(intervalKey([fact(null), fact(over(3, 3), null)]).words).toBeNull();
  });
});

test("for programs, figures with another label are named", () => {
  const metrics = {
    completionRate: { interval: over(20, 60) },
    errorRate: { interval: over(20, 60) },
    latencyP95Ms: { interval: rerun },
    compositeScore: { interval: null },
  };

  expect(describeIntervals(metrics)).toBe(
    "95% intervals for cases like these (20 cases × 3); latencyP95Ms: for a rerun of these cases (50 cases × 3)",
  );
  expect(describeIntervals({})).toBe("");
});
