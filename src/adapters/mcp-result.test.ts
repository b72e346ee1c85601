import { expect, test } from "vitest";
import { resultCheck } from "./mcp-result.ts";

test("an answer that fits has neither problems nor warnings, one that does not has problems", async () => {
  const check = await resultCheck({ type: "object", required: ["sum"] });
  expect(check({ sum: 1 })).toEqual({ problems: [], warnings: [] });
  expect(check({})).toEqual({ problems: [expect.stringContaining("sum")], warnings: [] });
  expect(check(undefined)).toEqual({ problems: ["structuredContent is missing"], warnings: [] });
});

test("a schema that nobody can compile is a warning, and breaks nothing", async () => {
  const check = await resultCheck({ type: "strnig" });
  expect(check("x")).toEqual({ problems: [], warnings: [expect.stringContaining("could not be checked")] });
});

test("a check that overran is not tried on further answers", async () => {
  const check = await resultCheck({ type: "string", pattern: "^(a+)+$" });
  const overran = check(`${"a".repeat(50)}!`);
  expect(overran).toEqual({ problems: [], warnings: [expect.stringContaining("took longer than")] });
  expect(check(4)).toEqual(overran);
});
