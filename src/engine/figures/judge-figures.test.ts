import { expect, test } from "vitest";
import { sampleResult } from "../../store/samples.ts";
import { judgeFold } from "./judge-figures.ts";

const usage = { promptTokens: 100, completionTokens: 10, totalTokens: 110, costUsd: 0.00002 };
const unchecked = new Map();
const judged = (model: string, changes = {}) =>
  sampleResult({ judge: { model, calls: 1, latencyMs: 40, usage }, ...changes });

test("what a judge took is summed per model, failures among its cells included", () => {
  const fold = judgeFold();
  fold.add(judged("lab/b"));
  fold.add(judged("lab/a"));
  fold.add(judged("lab/b", { status: "invalid" }));

  expect(fold.figures(unchecked)).toMatchObject([
    { model: "lab/a", cells: 1, failed: 0, failureRate: 0 },
    { model: "lab/b", cells: 2, failed: 1, failureRate: 0.5, calls: 2, promptTokens: 200, costUsd: 0.00004 },
  ]);
});

test("cells that no model judged are passed over", () => {
  const fold = judgeFold();
  fold.add(sampleResult());

  expect(fold.figures(unchecked)).toEqual([]);
});

test("an unknown cost makes the sum unknown, never smaller", () => {
  const fold = judgeFold();
  fold.add(judged("m"));
  fold.add(
    judged("m", { judge: { model: "m", calls: 3, latencyMs: 1, usage: { ...usage, costUsd: null } } }),
  );

  expect(fold.figures(unchecked)).toMatchObject([{ calls: 4, promptTokens: 200, costUsd: null }]);
});

test("canaries are reported beside the cells, and what they took is charged to the judge", () => {
  const fold = judgeFold();
  fold.add(judged("m"));
  const judge = { model: "m", calls: 8, latencyMs: 100, usage };
  const figures = { asked: 8, answered: 8, drift: 0.123456, flipRate: 0, problem: null, cause: null };
  const checked = new Map([["m", { ...figures, judge }]]);

  expect(fold.figures(checked)).toMatchObject([
    {
      cells: 1,
      calls: 9,
      promptTokens: 200,
      canaries: { asked: 8, answered: 8, drift: 0.1235, flipRate: 0, problem: null },
      trustedDespite: null,
    },
  ]);
  expect(fold.figures(checked)).toEqual(fold.figures(checked));
});
