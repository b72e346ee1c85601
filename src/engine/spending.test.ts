import { expect, test } from "vitest";
import { sampleCell } from "../../test/sample-cell.ts";
import { sampleSuite } from "../../test/sample-suite.ts";
import type { Usage } from "../contract/outcome.ts";
import { Budget } from "../models/budget.ts";
import { sampleResult } from "../store/samples.ts";
import { costGate, watchSpending } from "./spending.ts";

const price = { inputPerMTok: 1, outputPerMTok: 10 };
const used = (changes: Partial<Usage>): Usage => ({
  ...{ promptTokens: null, completionTokens: null, totalTokens: null, costUsd: null },
  ...changes,
});

test.each<[string, Partial<Usage> | undefined, typeof price | undefined, number | null]>([
  ["no usage costs nothing", undefined, price, 0],
  ["what it says it cost", { costUsd: 0.3, promptTokens: 5 }, price, 0.3],
  ["tokens at the price of the skill", { promptTokens: 100_000, completionTokens: 10_000 }, price, 0.2],
  ["tokens without a price are unknown", { promptTokens: 1, completionTokens: 1 }, undefined, null],
  ["some of the tokens are unknown", { promptTokens: 1 }, price, null],
  ["no tokens cost nothing", { totalTokens: 0 }, undefined, 0],
])("a call of a skill: %s", (_, usage, pricing, value) => {
  const suite = sampleSuite({}, { reportsUsage: true, pricingOf: () => pricing });
  const budget = new Budget(0.25);
  const spending = watchSpending(budget);

  spending.addOutcome(suite, sampleCell(), {
    ...{ status: "answered", output: 1, latencyMs: 1 },
    ...(usage && { usage: used(usage) }),
  });

  const isAbove = value !== null && value > 0.25;
  expect(costGate(budget, "unit", true)).toMatchObject({
    ...{ metric: "runCostUsd", op: "<=", threshold: 0.25 },
    ...{ value, passed: value === null ? null : !isAbove },
  });
  expect(costGate(budget, "unit", false)).toMatchObject({ value, passed: null });
  expect(spending.refusal()).toEqual(isAbove ? expect.objectContaining({ cause: "budget" }) : null);
});

test("calls of our own models are counted where they are made, and not again by their cells", () => {
  const budget = new Budget(1);

  watchSpending(budget).addOutcome(sampleSuite({}, { reportsUsage: false }), sampleCell(), {
    ...{ status: "answered", output: 1, latencyMs: 1, usage: used({ costUsd: 0.3 }) },
  });

  expect(budget.spentUsd).toBe(0);
});

test("cells of an earlier session count, with their judges", () => {
  const budget = new Budget(1);
  const judge = { model: "m", calls: 1, latencyMs: 1, usage: used({ costUsd: 0.2 }) };
  const suite = sampleSuite();

  watchSpending(budget).addStored(suite, sampleResult({ usage: used({ costUsd: 0.3 }), judge }));

  expect(budget.spentUsd).toBeCloseTo(0.5);
});

test("once a call was refused nothing more begins, although something is left", async () => {
  const budget = new Budget(1);
  const { signal } = new AbortController();

  expect(await budget.reserve({ usd: 2, isOpenEnded: false }, signal)).toBeNull();

  expect(watchSpending(budget).refusal()).toMatchObject({ status: "invalid", cause: "budget" });
  expect(watchSpending(null).refusal()).toBeNull();
});
