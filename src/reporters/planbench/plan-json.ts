import { inertJson } from "../../base/inert-json.ts";
import type { PlanReport, PlanReporter, PlanResultReader } from "../../contract/planbench-report.ts";
import { jsonList } from "../json-pieces.ts";

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

function* render(report: PlanReport, results: PlanResultReader): Generator<string> {
  let before = "{\n";
  for (const name of members) {
    yield `${before}  ${JSON.stringify(name)}: `;
    if (name === "results") yield* jsonList(results(), "  ", (result) => [inertJson(result)]);
    else if (name === "summary") yield* jsonList(report.summary, "  ", (table) => [inertJson(table)]);
    else yield inertJson(report[name], 2).replaceAll("\n", "\n  ");
    before = ",\n";
  }
  yield "\n}\n";
}
