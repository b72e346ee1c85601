import { inertJson } from "../../base/inert-json.ts";
import type { AgentReport, AgentReporter, AgentResultReader } from "../../contract/agent-report.ts";
import { jsonDocument, jsonList } from "../json-pieces.ts";

/** The whole report on agent runs for machines: what `agent eval --json` prints and what every other command reads. */
export const agentJsonReporter: AgentReporter = { format: "json", extension: "json", render };

/** The order in which members are written; the compiler keeps the list complete. */
const members = Object.keys({
  schemaVersion: 0,
  command: 0,
  tool: 0,
  suite: 0,
  run: 0,
  totals: 0,
  pass_rate: 0,
  metrics: 0,
  conversations: 0,
  mixed_skill_version: 0,
  gates: 0,
  cases: 0,
  skipped: 0,
  results: 0,
  warnings: 0,
  files: 0,
  exitCode: 0,
} satisfies Record<keyof AgentReport | "results", 0>) as (keyof AgentReport | "results")[];

function render(report: AgentReport, results: AgentResultReader): Generator<string> {
  return jsonDocument<keyof AgentReport | "results">(members, report, {
    results: () => jsonList(results(), "  ", (result) => [inertJson(result)]),
    cases: () => jsonList(report.cases, "  ", (summary) => [inertJson(summary)]),
  });
}
