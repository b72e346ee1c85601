import type { GateReport } from "../contract/document.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { GateRule } from "../engine/gates.ts";

/** What is asked of all cases of a run together. */
export interface AgentGateOptions {
  minPassRate?: number | undefined;
  minTriggerPrecision?: number | undefined;
  minTriggerRecall?: number | undefined;
  minFinalJson?: number | undefined;
  on: Extract<GateReport["on"], "point" | "lower">;
}

/** The gates of a run over cases: its thresholds, and that no case fails. They are held against agents and conversations together. */
export function agentGates(suites: readonly SuiteRun[], options: AgentGateOptions): GateRule[] {
  const level = ["agent", "conversation"].find((name) => suites.some((suite) => suite.level.name === name));
  if (level === undefined) return [];
  const shared = { level, scope: "run", enforced: true } as const;
  const thresholds = {
    passRate: options.minPassRate,
    triggerPrecision: options.minTriggerPrecision,
    triggerRecall: options.minTriggerRecall,
    finalJson: options.minFinalJson,
  };
  const asked = Object.entries(thresholds).flatMap(([metric, threshold]): GateRule[] =>
    threshold === undefined ? [] : [{ ...shared, metric, on: options.on, op: ">=", threshold }],
  );
  return [...asked, { ...shared, metric: "failedCases", on: "point", op: "<=", threshold: 0 }];
}
