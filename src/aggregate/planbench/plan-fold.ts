import type { Stratum } from "../../contract/planbench-file.ts";
import type { PlanResult, PlanTable } from "../../contract/planbench-report.ts";
import { type AskedPlanGates, type PlanGates, planGates } from "./plan-gates.ts";
import { type PlanStratum, planStratum } from "./plan-stratum.ts";
import { roundTable } from "./round-table.ts";

/** A case of a bench, as it was planned. */
interface PlannedPlanCase {
  caseId: string;
  stratum: Stratum;
}

export interface PlanFold {
  add(result: PlanResult): void;
  /** One for each stratum that has cases, in their order, rounded as they are written. */
  tables(): PlanTable[];
  /** By the exact figures. */
  gates(asked: AskedPlanGates): PlanGates;
}

export interface PlannedSamples {
  cases: readonly PlannedPlanCase[];
  /** Of each case. */
  samples: number;
  seed: number;
  hasExecutor: boolean;
}

const order: readonly Stratum[] = ["routed", "forced", "fixed"];

/** Folds samples into the figures of a bench. They may come in any order; the figures are the same. */
export function planFold({ cases, samples, seed, hasExecutor }: PlannedSamples): PlanFold {
  const strata = order.flatMap((route): PlanStratum[] => {
    const caseIds = cases.filter(({ stratum }) => stratum === route).map(({ caseId }) => caseId);
    return caseIds.length === 0 ? [] : [planStratum({ route, caseIds, samples, seed, hasExecutor })];
  });
  // A case stands where it was planned, whatever a result says.
  const stratumOf = new Map(strata.flatMap((stratum) => stratum.caseIds.map((id) => [id, stratum])));
  const exact = () => strata.map((stratum) => stratum.table());
  return {
    add: (result) => stratumOf.get(result.caseId)?.add(result),
    tables: () => exact().map(roundTable),
    gates: (asked) => planGates(exact(), asked),
  };
}
