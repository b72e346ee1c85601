import { expect, test } from "vitest";
import { planDocument } from "../../../test/plan-document.ts";
import { subjectName } from "../../contract/cell.ts";
import { ReportFile } from "../../contract/document.ts";
import type { CellReader } from "../../contract/format.ts";
import { PlanReportFile } from "../../contract/planbench-report.ts";
import {
  fullPlanReport,
  fullPlanResults,
  samplePlanReport,
} from "../../reporters/planbench/sample-plan-report.ts";
import { planShape } from "./plan-shape.ts";

/** The shape of a document that was written and read back. */
function shaped(document: ReportFile) {
  const { cells, ...file } = ReportFile.parse(JSON.parse(JSON.stringify(document)));
  const read: CellReader = ({ subject } = {}) =>
    cells.filter((cell) => subjectName(cell) === subject).map((cell) => JSON.stringify(cell));
  const { report, results } = planShape(file, read);
  return PlanReportFile.parse({ ...report, results: [...results()] });
}

test("a report comes out as it was, whatever its samples are like", () => {
  const results = fullPlanResults.map(({ plan: _, ...result }) => result);
  expect(shaped(planDocument(fullPlanReport, results))).toEqual({ ...fullPlanReport, results });
});

test("plans are shown where they were asked for", () => {
  const results = fullPlanResults.map((result) => ({ ...result, plan: { v: 1 } }));
  expect(shaped(planDocument(fullPlanReport, results)).results).toEqual(results);
});

test("a gate without a verdict shows what too few samples say, and one that nobody answers has no check", () => {
  const document = planDocument(fullPlanReport, fullPlanResults);
  const [gate] = document.gates;
  if (gate === undefined) throw new Error("there is one");
  const undecided = { ...gate, value: null, passed: null };

  expect(shaped({ ...document, gates: [undecided] }).gate).toEqual({
    passed: null,
    checks: [fullPlanReport.gate.checks[0]],
  });
  expect(shaped({ ...document, gates: [{ ...undecided, subject: null }] }).gate).toEqual({
    passed: null,
    checks: [],
  });
  expect(shaped({ ...document, gates: [] }).gate).toEqual({ passed: true, checks: [] });
});

test("what a document does not say is unknown", () => {
  const document = planDocument(samplePlanReport(fullPlanResults), fullPlanResults);
  const run = { ...document.run, settings: {} };
  const cells = document.cells.map((cell) => ({ ...cell, output: null, details: {} }));

  const { run: facts, results } = shaped({ ...document, run, cells });

  expect(facts).toMatchObject({ bench: "plans", model: "openai/gpt-5-mini", samples: 2, answeredBy: [] });
  expect(results[0]).toMatchObject({ outcome: "error", attempts: [], selected: null });
});
