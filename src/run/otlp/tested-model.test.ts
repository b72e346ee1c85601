import { expect, test } from "vitest";
import type { CellResult } from "../../contract/result.ts";
import { sampleResult } from "../../contract/sample-result.ts";
import { testedModel } from "./tested-model.ts";

test.each<[string, Partial<CellResult>, string | null]>([
  ["the model of a forced sample", { scorerType: "planbench", skillId: "lab/m (forced)" }, "lab/m"],
  ["the model of a routed sample", { scorerType: "planbench", skillId: "lab/m" }, "lab/m"],
  ["nobody for a plan that stands in the file", { scorerType: "planbench", skillId: "fixed" }, null],
  ["the model of a baseline", { scorerType: "agent", skillId: "m (no skills)", output: { model: "m" } }, "m"],
  ["nobody for a pure function", { scorerType: "agent", skillId: "none", output: { model: "none" } }, null],
  ["nobody for a skill", { scorerType: "exact_match", skillId: "calc" }, null],
])("names %s", (_, cell, model) => {
  expect(testedModel(sampleResult(cell))).toBe(model);
});
