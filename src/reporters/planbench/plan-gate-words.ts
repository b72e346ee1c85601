import { countOf } from "../../base/count-of.ts";
import type { PlanGate, PlanReport, PlanTable } from "../../contract/planbench-report.ts";
import { fraction, milliseconds, percent } from "../format-numbers.ts";

const gateNames: Readonly<Record<PlanGate["gate"], string>> = {
  min_ok0: "ok at first",
  min_success: "ok in the end",
  max_p95_ms: "p95 of a sample",
};

/** A gate and how it stands: `Gate failed: routed, ok at first ≥ 0.8, is 0.7`. */
export function describePlanGate(check: PlanGate, tables: readonly PlanTable[]): string {
  const { gate, route, on, asked, actual, passed } = check;
  const verdict = passed === null ? "inconclusive" : passed ? "passed" : "failed";
  const isTime = gate === "max_p95_ms";
  const what = on === "lower" ? `lower bound of ${gateNames[gate]}` : gateNames[gate];
  const line = isTime ? `≤ ${milliseconds(asked)}` : `≥ ${fraction(asked)}`;
  const is =
    actual === null
      ? "nothing to measure it by"
      : `is ${isTime ? milliseconds(actual) : fraction(actual)}${passed === null ? coverageWords(route, tables) : ""}`;
  return `Gate ${verdict}: ${route}, ${what} ${line}, ${is}`;
}

function coverageWords(route: PlanGate["route"], tables: readonly PlanTable[]): string {
  const coverage = tables.find((table) => table.route === route)?.coverage ?? null;
  return coverage === null ? "" : ` over ${percent(coverage)} of the samples`;
}

/** Samples without an outcome, and what follows from them; null where there are none. */
export function describePlanOpen({
  summary,
  exitCode,
}: Pick<PlanReport, "summary" | "exitCode">): string | null {
  const open = summary.reduce((sum, { error }) => sum + error, 0);
  if (open === 0) return null;
  const words = `${countOf(open, "sample")} without an outcome`;
  return exitCode === 3 ? `No verdict: ${words}` : words;
}

/** A gate was asked for and no table of routed or forced cases answers it; null where that is not so. */
export function describeUnanswered({ gate }: Pick<PlanReport, "gate">): string | null {
  const isUnanswered = gate.passed === null && gate.checks.length === 0;
  return isUnanswered ? "Gate inconclusive: no routed or forced case to measure it by" : null;
}
