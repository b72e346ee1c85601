import { describe, expect, test } from "vitest";
import type { Fact } from "../../contract/view.ts";
import { sampleSubject } from "../../store/samples.ts";
import { metricFact, withInvalidAsFailed, withPasses, withRetries } from "./metric-fact.ts";

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
    ...{ label: "P95", metric: "latencyP95Ms", value: null, unit: "ms", interval: null },
  });
});

describe("what a rate of passes hides is shown beside it", () => {
  const facts = ["errorRate", "completionRate", "successRate"].map((metric) => ({
    ...{ label: metric, metric, value: 1, unit: "share" as const },
  }));
  const retried = (value: number | null) => ({ metrics: { retriedRate: figure(value, 10) } });
  const notes = (shown: readonly Fact[]) => shown.map(({ note }) => note);

  test("and beside no other figure", () => {
    expect(notes(withRetries(facts, retried(0.8), {}))).toEqual([undefined, "80.0% retried", undefined]);
    for (const none of [0, null]) expect(withRetries(facts, retried(none), {})).toEqual(facts);
  });

  test("under the name that the level gives it", () => {
    const level = { gatedFigures: { minCompletion: "successRate" } };
    const subject = {
      counts: { ...sampleSubject().counts, invalid: 2 },
      metrics: { completionWithInvalid: figure(0.75, 24) },
    };
    expect(notes(withInvalidAsFailed(facts.slice(2), subject, level))).toEqual([
      "75.0% counting missing verdicts as failed",
    ]);
  });

  test("or as a fact of its own where the level shows no such rate", () => {
    const shown = withRetries(withPasses([], {}), retried(0.8), {});
    expect(shown).toEqual([{ label: "Passed", value: "80.0% retried" }]);
    const subject = {
      counts: { ...sampleSubject().counts, invalid: 2 },
      metrics: { completionWithInvalid: figure(0.75, 24) },
    };
    expect(withInvalidAsFailed(shown, subject, {})).toEqual([
      { label: "Passed", value: "80.0% retried, 75.0% counting missing verdicts as failed" },
    ]);
  });
});
