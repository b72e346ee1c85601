import { expect, test } from "vitest";
import { metricFact, withRetries } from "./metric-fact.ts";

const figure = (value: number | null, n: number) => ({ value, interval: null, n, better: "down" as const });

test.each([
  ["latencyP95Ms", 19, "max of 19"],
  ["latencyP95Ms", 20, undefined],
  ["latencyP99Ms", 99, "max of 99"],
  ["latencyP99Ms", 100, undefined],
  ["sampleP95Ms", 3, "max of 3"],
  ["latencyP50Ms", 1, undefined],
  ["completionRate", 1, undefined],
])("%s of %i trials says whether it is simply the slowest of them", (name, n, note) => {
  expect(metricFact({ metrics: { [name]: figure(12, n) } }, name, "Figure", "ms").note).toBe(note);
});

test("what was not measured is the maximum of nothing", () => {
  expect(metricFact({ metrics: {} }, "latencyP95Ms", "P95", "ms")).toEqual({
    ...{ label: "P95", value: null, unit: "ms", interval: null },
  });
});

test("the share of passes on a retry is shown beside the first rate, and beside no other figure", () => {
  const facts = [
    { label: "Selected", value: "yes" },
    { label: "Completion", value: 1, unit: "share" },
    { label: "Error rate", value: 0, unit: "share" },
  ] as const;
  const notes = (value: number | null) =>
    withRetries(facts, { metrics: { retriedRate: figure(value, 10) } }).map(({ note }) => note);

  expect(notes(0.8)).toEqual([undefined, "80.0% retried", undefined]);
  for (const none of [0, null]) expect(notes(none)).toEqual([undefined, undefined, undefined]);
});
