import { inertJson } from "../../base/inert-json.ts";
import type { PlanReport, PlanReporter, PlanResultReader } from "../../contract/planbench-report.ts";
import { jsonDocument, jsonList } from "../json-pieces.ts";

/** The whole report on plans for machines: what `planbench --json` prints and what every other command reads. */
export const planJsonReporter: PlanReporter = { format: "json", extension: "json", render };

/** The order in which members are written; the compiler keeps the list complete. */
const members = Object.keys({
  schemaVersion: 0,
  command: 0,
  tool: 0,
  run: 0,
  passed: 0,
  total: 0,
  gate: 0,
  summary: 0,
  results: 0,
  warnings: 0,
  files: 0,
  exitCode: 0,
} satisfies Record<keyof PlanReport | "results", 0>) as (keyof PlanReport | "results")[];

function render(report: PlanReport, results: PlanResultReader): Generator<string> {
  return jsonDocument<keyof PlanReport | "results">(members, report, {
    results: () => jsonList(results(), "  ", (result) => [inertJson(result)]),
    summary: () => jsonList(report.summary, "  ", (table) => [inertJson(table)]),
  });
}
