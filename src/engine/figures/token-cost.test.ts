import { expect, test } from "vitest";
import { sampleSummary } from "../../../test/builders/sample-summary.ts";
import type { Usage } from "../../contract/outcome.ts";
import { sampleResult } from "../../store/samples.ts";
import { usageTable } from "./token-cost.ts";

const nothing: Usage = { promptTokens: null, completionTokens: null, totalTokens: null, costUsd: null };
const pricing = { inputPerMTok: 2, outputPerMTok: 10 };

function costOf(usages: readonly Partial<Usage>[], prices?: typeof pricing) {
  const table = usageTable(usages.length);
  for (const [cell, usage] of usages.entries()) table.add(cell, { ...nothing, ...usage });
  return table.cost(prices);
}

test("a skill that reports nothing has no cost, which is not a cost of 0", () => {
  expect(costOf([])).toBeNull();
  expect(costOf([nothing], pricing)).toBeNull();
});

test("tokens are added up, and a missing total is prompt and completion together", () => {
  const cost = costOf([
    { promptTokens: 100, completionTokens: 20, totalTokens: 125 },
    { promptTokens: 10, completionTokens: 5 },
    { promptTokens: 1 },
  ]);

  expect(cost).toEqual({ promptTokens: 111, completionTokens: 25, totalTokens: 141, estimatedUSD: null }); // 125 + 15 + 1
});

test("a reported price wins over the price list", () => {
  expect(
    costOf([{ promptTokens: 1e6, costUsd: 0.25 }, { costUsd: 0.5 }, { promptTokens: 7 }], pricing),
  ).toMatchObject({
    estimatedUSD: 0.75,
  });
});

test("a skill that says it cost nothing is believed", () => {
  expect(costOf([{ promptTokens: 1e6, costUsd: 0 }], pricing)?.estimatedUSD).toBe(0);
});

test("without a reported price the price list decides", () => {
  // 3 000 000 · 2/1e6 + 500 000 · 10/1e6 = 6 + 5
  expect(costOf([{ promptTokens: 3e6 }, { completionTokens: 5e5 }], pricing)?.estimatedUSD).toBe(11);
});

test("tokens nobody split into input and output cannot be priced", () => {
  expect(costOf([{ promptTokens: 3e6 }, { totalTokens: 4e6 }], pricing)).toMatchObject({
    totalTokens: 7e6,
    estimatedUSD: null,
  });
});

test("invalid cells cost nothing in the report, since they count nowhere", () => {
  const usage = { ...nothing, totalTokens: 50 };
  const results = [sampleResult({ usage }), sampleResult({ caseId: "b", status: "invalid", usage })];

  expect(sampleSummary(results).figures().tokenCost).toMatchObject({ totalTokens: 50 });
});
