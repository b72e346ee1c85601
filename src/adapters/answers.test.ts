import { expect, test } from "vitest";
import { readUsage } from "./answers.ts";

test("nothing reported is nothing known", () => {
  for (const reported of [undefined, null, {}, { other: 5 }]) {
    expect(readUsage(reported)).toEqual({ usage: undefined, warnings: [] });
  }
});

test("what is reported is kept, and the rest stays unknown", () => {
  expect(readUsage({ promptTokens: 0, costUsd: 0.5 }).usage).toEqual({
    promptTokens: 0,
    completionTokens: null,
    totalTokens: null,
    costUsd: 0.5,
  });
});

test("figures that cannot be true are left out, each with a warning, and never become zero", () => {
  const { usage, warnings } = readUsage({
    promptTokens: -1,
    completionTokens: "12",
    totalTokens: Number.NaN,
    costUsd: 1,
  });
  expect(usage).toEqual({ promptTokens: null, completionTokens: null, totalTokens: null, costUsd: 1 });
  expect(warnings).toHaveLength(3);
});

test("usage that is not an object is left out with a warning", () => {
  expect(readUsage("12 tokens")).toMatchObject({
    usage: undefined,
    warnings: [expect.stringContaining("not an object")],
  });
});

test("a figure so large that a sum of it is not a number any more cannot be true", () => {
  expect(readUsage({ promptTokens: 1e308, totalTokens: 5 }).usage).toMatchObject({
    promptTokens: null,
    totalTokens: 5,
  });
});
