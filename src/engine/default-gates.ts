import type { SuiteRun } from "../contract/level.ts";
import type { GateRule } from "./gates.ts";

export interface DefaultGates {
  /** The share of its results that every subject must pass; null: nothing may fail. */
  minCompletion: number | null;
  on: "point" | "lower";
}

/**
 * What a run of several levels must reach where nobody says otherwise: that nothing failed. A level that decides about
 * cases as a whole counts the failed ones; elsewhere every result of every subject has to pass.
 */
export function defaultGates(suites: readonly SuiteRun[], { minCompletion, on }: DefaultGates): GateRule[] {
  const levels = new Map(suites.map(({ level }) => [level.name, level]));
  const counted = new Set<string>();
  return [...levels.values()].flatMap(({ name: level, failures, isGatedByName = false }): GateRule[] => {
    const shared = { level, enforced: true };
    if ((minCompletion === null || isGatedByName) && failures !== undefined) {
      // Levels that count the same thing count it together.
      if (counted.has(failures)) return [];
      counted.add(failures);
      return [{ ...shared, metric: failures, on: "point", op: "<=", threshold: 0, scope: "run" }];
    }
    const demand = {
      on: minCompletion === null ? "point" : on,
      op: ">=",
      threshold: minCompletion ?? 1,
    } as const;
    const appliesTo: GateRule["appliesTo"] = ({ arm }) => arm !== "absent";
    return [{ ...shared, ...demand, metric: "completionRate", scope: "subject", appliesTo }];
  });
}
