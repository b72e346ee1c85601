import { expect, test } from "vitest";
import { describeUsage } from "../text/format-numbers.ts";

const nothing = { promptTokens: null, completionTokens: null, totalTokens: null, costUsd: null };

test("only what is known of tokens and money is reported, and a tiny cost is not a zero", () => {
  expect(describeUsage({ promptTokens: 12, completionTokens: 3, totalTokens: 15, costUsd: 0.00003 })).toBe(
    "12 in, 3 out, 15 in all, $0.00003",
  );
  expect(describeUsage({ ...nothing, totalTokens: 15 })).toBe("15 in all");
  expect(describeUsage(nothing)).toBe("");
});
