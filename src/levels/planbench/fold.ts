import { strata as order, type Stratum } from "../../contract/planbench-file.ts";
import type { PlanResult, PlanTable } from "../../contract/planbench-report.ts";
import { type PlanStratum, planStratum } from "./plan-stratum.ts";

/** A case of a bench, as it was planned. */
interface PlannedPlanCase {
  caseId: string;
  stratum: Stratum;
}

export interface PlanFold {
  add(result: PlanResult): void;
  /** The exact figures of a stratum; null where it has no cases. */
  table(route: Stratum): PlanTable | null;
}

export interface PlannedSamples {
  cases: readonly PlannedPlanCase[];
  /** Of each case. */
  samples: number;
  seed: number;
  hasExecutor: boolean;
}

/** Folds samples into the figures of a bench. They may come in any order; the figures are the same. */
export function planFold({ cases, samples, seed, hasExecutor }: PlannedSamples): PlanFold {
  const strata = new Map(
    order.flatMap((route): [Stratum, PlanStratum][] => {
      const caseIds = cases.filter(({ stratum }) => stratum === route).map(({ caseId }) => caseId);
      return caseIds.length === 0
        ? []
        : [[route, planStratum({ route, caseIds, samples, seed, hasExecutor })]];
    }),
  );
  // A case stands where it was planned, whatever a result says.
  const stratumOf = new Map(
    [...strata.values()].flatMap((stratum) => stratum.caseIds.map((id) => [id, stratum])),
  );
  return {
    add: (result) => stratumOf.get(result.caseId)?.add(result),
    table: (wanted) => strata.get(wanted)?.table() ?? null,
  };
}
