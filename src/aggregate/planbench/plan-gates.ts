import type { PlanGate, PlanTable } from "../../contract/planbench-report.ts";

/** What a bench is asked to reach; what is left out is not asked. */
export interface AskedPlanGates {
  minOk0?: number | null | undefined;
  minSuccess?: number | null | undefined;
  maxP95Ms?: number | null | undefined;
  gateOn: "point" | "lower";
}

export interface PlanGates {
  /** Null: no verdict. */
  passed: boolean | null;
  checks: PlanGate[];
}

/** With fewer outcomes than this nobody knows what the missing ones would have said. */
const leastCoverage = 0.95;

/** Holds each gate against the table of routed and of forced cases. Fixed ones test the harness and pass no gate. */
export function planGates(
  tables: readonly PlanTable[],
  { minOk0, minSuccess, maxP95Ms, gateOn }: AskedPlanGates,
): PlanGates {
  const asked: Asked[] = [
    { gate: "min_ok0", asked: minOk0 ?? null, on: gateOn, figure: "ok0Rate" },
    { gate: "min_success", asked: minSuccess ?? null, on: gateOn, figure: "successRate" },
    { gate: "max_p95_ms", asked: maxP95Ms ?? null, on: "point", figure: null },
  ];
  const gated = tables.filter(({ route }) => route !== "fixed");
  const wanted = asked.filter((one) => one.asked !== null);
  const checks = wanted.flatMap((one) => gated.map((table) => checkOf(one, table)));
  return { passed: wanted.length > 0 && checks.length === 0 ? null : verdictOf(checks), checks };
}

interface Asked {
  gate: PlanGate["gate"];
  asked: number | null;
  on: PlanGate["on"];
  /** Null: the time of a sample, which is to be small. */
  figure: "ok0Rate" | "successRate" | null;
}

function checkOf({ gate, asked, on, figure }: Asked, table: PlanTable): PlanGate {
  const line = asked ?? 0;
  const actual =
    figure === null
      ? table.sampleMs.p95
      : on === "lower"
        ? (table.intervals[figure]?.lower ?? null)
        : table[figure];
  const isKnown = actual !== null && (table.coverage ?? 0) >= leastCoverage;
  const passed = isKnown ? (figure === null ? actual <= line : actual >= line) : null;
  return { gate, route: table.route, on, asked: line, actual, passed };
}

/** No verdict beats a failed gate: nobody should read "failed" where we simply do not know. */
function verdictOf(checks: readonly PlanGate[]): boolean | null {
  if (checks.some(({ passed }) => passed === null)) return null;
  return checks.every(({ passed }) => passed === true);
}
