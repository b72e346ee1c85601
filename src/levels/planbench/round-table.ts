import type { Interval } from "../../contract/document.ts";
import type { PlanTable } from "../../contract/planbench-report.ts";
import { roundMs, roundShare } from "../../shared/statistics/round-numbers.ts";

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
  return interval && { ...interval, lower: roundShare(interval.lower), upper: roundShare(interval.upper) };
}
