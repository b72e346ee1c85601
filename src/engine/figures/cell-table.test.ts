import { expect, test } from "vitest";
import { makeCases, makeResults } from "../../../test/builders/sample-summary.ts";
import { sampleResult } from "../../store/samples.ts";
import { cellTable, countVerdicts, isCounted, isPassed } from "./cell-table.ts";

test("cells are filed by task and trial, however late they come", () => {
  const table = cellTable(makeCases(["a", "b"]), 3);

  expect(table.add(sampleResult({ caseId: "b", trial: 2 }))).toEqual({ task: 1, cell: 4 });
  expect(table.add(sampleResult({ caseId: "a", trial: 3 }))).toEqual({ task: 0, cell: 2 });
});

test("a cell that nobody planned is a bug and says which", () => {
  const table = cellTable(makeCases(["a"]), 2);

  expect(() => table.add(sampleResult({ caseId: "z" }))).toThrow("no cell is planned for case z, trial 1");
  expect(() => table.add(sampleResult({ trial: 3 }))).toThrow("case a, trial 3");
  expect(() => table.add(sampleResult({ trial: 0 }))).toThrow("case a, trial 0");
});

test("a cell with two results is a bug, never counted twice", () => {
  const table = cellTable(makeCases(["a"]), 1);
  table.add(sampleResult());

  expect(() => table.add(sampleResult())).toThrow("has a result already");
});

test("invalid cells are counted apart, and those without a result nowhere", () => {
  const table = cellTable(makeCases(["a", "b"]), 4);
  for (const result of makeResults({ a: "pfe.", b: "tip." })) table.add(result);

  expect(countVerdicts(table)).toEqual({ total: 5, pass: 2, fail: 1, error: 1, timeout: 1, invalid: 1 });
  expect([3, 5].map((cell) => isCounted(table, cell))).toEqual([false, false]);
  expect([0, 1].map((cell) => isPassed(table, cell))).toEqual([true, false]);
});

test("an error or timeout scores 0, whatever number came along", () => {
  const table = cellTable(makeCases(["a"]), 2);
  table.add(sampleResult({ trial: 1, status: "error", score: 0.9 }));
  table.add(sampleResult({ trial: 2, status: "fail", score: 0.4 }));

  expect([...table.scores]).toEqual([0, 0.4]);
});
