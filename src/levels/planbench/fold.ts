import type { Interval } from "../../contract/document.ts";
import { strata as order, type Stratum, type TargetType } from "../../contract/planbench-file.ts";
import type { PlanResult, PlanTable } from "../../contract/planbench-report.ts";
import { roundMs, roundShare } from "../../shared/statistics/numbers.ts";
import { type PlanStratum, planStratum } from "./plan-stratum.ts";

/** A case of a bench, as it was planned. */
interface PlannedPlanCase {
  caseId: string;
  stratum: Stratum;
}

interface PlanFold {
  add(result: PlanResult): void;
  leaveOut(caseId: string): void;
  /** The exact figures of a stratum; null where it has no cases. */
  table(route: Stratum): PlanTable | null;
}

interface PlannedSamples {
  cases: readonly PlannedPlanCase[];
  /** Of each case. */
  samples: number;
  hasExecutor: boolean;
  target: TargetType;
}

/** Folds samples into the figures of a bench. They may come in any order; the figures are the same. */
export function planFold({ cases, samples, hasExecutor, target: type }: PlannedSamples): PlanFold {
  const strata = new Map(
    order.flatMap((route): [Stratum, PlanStratum][] => {
      const caseIds = cases.filter(({ stratum }) => stratum === route).map(({ caseId }) => caseId);
      const target = route === "fixed" ? null : type;
      if (caseIds.length === 0) return [];
      return [[route, planStratum({ route, target, caseIds, samples, hasExecutor })]];
    }),
  );
  // A case belongs to the stratum it was planned in, whatever a result says.
  const stratumByCase = new Map(
    [...strata.values()].flatMap((stratum) => stratum.caseIds.map((id) => [id, stratum])),
  );
  return {
    add: (result) => stratumByCase.get(result.caseId)?.add(result),
    leaveOut: (caseId) => stratumByCase.get(caseId)?.leaveOut(caseId),
    table: (wanted) => strata.get(wanted)?.table() ?? null,
  };
}

/** A table as it is written: rates and means to 4 decimals, times to 3. */
export function roundTable(table: PlanTable): PlanTable {
  const { intervals, firstMs, sampleMs, tokens, execRate, hitRate } = table;
  return {
    ...table,
    ok0Rate: roundShare(table.ok0Rate),
    successRate: roundShare(table.successRate),
    intervals: {
      ok0Rate: roundInterval(intervals.ok0Rate),
      successRate: roundInterval(intervals.successRate),
    },
    meanRepairs: roundShare(table.meanRepairs),
    firstMs: { avg: roundMs(firstMs.avg), p95: roundMs(firstMs.p95) },
    sampleMs: { avg: roundMs(sampleMs.avg), p95: roundMs(sampleMs.p95) },
    tokens: {
      first: roundShare(tokens.first),
      repairs: roundShare(tokens.repairs),
      total: roundShare(tokens.total),
      known: tokens.known,
    },
    ...(execRate !== undefined && { execRate: roundShare(execRate) }),
    coverage: roundShare(table.coverage),
    ...(hitRate !== undefined && { hitRate: roundShare(hitRate) }),
  };
}

function roundInterval(interval: Interval | null): Interval | null {
  if (interval === null) return null;
  const { lower, upper, nEff } = interval;
  return { ...interval, lower: roundShare(lower), upper: roundShare(upper), nEff: roundShare(nEff) };
}
