import { expect, test } from "vitest";
import { Diagnostics } from "./diagnostics.ts";

test("of one rule a thousand findings are kept, and how many more there were", () => {
  const diagnostics = new Diagnostics("strict", "my-skill");

  for (let line = 1; line <= 1500; line++) diagnostics.add("SKM12", { file: "SKILL.md", line }, "x");
  diagnostics.add("SKM10", { file: "SKILL.md", line: 1 }, 'unknown field "x"');

  expect([diagnostics.list().length, diagnostics.unlisted]).toEqual([1001, 500]);
  expect([diagnostics.takeFirst(["a", "b", "c"], 2), diagnostics.unlisted]).toEqual([["a", "b"], 501]);
  expect(diagnostics.list()[0]).toMatchObject({ code: "SKM10", severity: "warning", skill: "my-skill" });
});

test("warnings of a rule do not crowd out its errors", () => {
  const diagnostics = new Diagnostics("strict", "my-skill");
  for (let n = 0; n <= 1000; n++) diagnostics.add("SKU06", { file: "a" }, "other", { severity: "warning" });
  expect(diagnostics.hasErrors()).toBe(false);

  diagnostics.add("SKU06", { file: "a" }, "misspelt");
  expect([diagnostics.hasErrors(), diagnostics.unlisted]).toEqual([true, 1]);
});

test("what was found is sorted by file, line and code, with the severity of the profile", () => {
  const diagnostics = new Diagnostics("lenient", "my-skill");
  diagnostics.add("SKM10", { file: "b", line: 10 }, "late");
  diagnostics.add("SKM05", { file: "b", line: 2 }, "early");
  diagnostics.add("SKM04", { file: "b", line: 2 }, "earlier");
  diagnostics.add("SKD06", { file: "a" }, "whole file", { severity: "warning", hint: "other words" });

  expect(diagnostics.list().map(({ code, severity }) => `${code} ${severity}`)).toEqual([
    "SKD06 warning",
    "SKM04 warning",
    "SKM05 warning",
    "SKM10 warning",
  ]);
  expect([diagnostics.hasErrors(), diagnostics.list()[0]?.hint]).toEqual([false, "other words"]);
});
