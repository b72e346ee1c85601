import type { Stratum } from "../../contract/planbench-file.ts";
import type { PlanResult, PlanTable } from "../../contract/planbench-report.ts";
import { rateFigure } from "../../engine/figures/rate-figure.ts";
import { total } from "../../shared/statistics/intervals.ts";
import { percentile } from "../../shared/statistics/numbers.ts";
import { planFailures } from "./plan-result.ts";

/** The samples of one stratum, added up. */
export interface PlanStratum {
  readonly caseIds: readonly string[];
  add(result: PlanResult): void;
  /** Takes a case out that counts nowhere. */
  leaveOut(caseId: string): void;
  /** Exact figures. */
  table(): PlanTable;
}

interface CaseCounts {
  ok0: number;
  ok: number;
  fail: number;
  /** Samples whose route is known, and those among them for which nothing was selected. */
  known: number;
  missed: number;
}

const maxShownFailures = 6;

/** Stores a few counts per case and two times per sample, which percentiles need. */
export function planStratum(planned: {
  route: Stratum;
  target: PlanTable["target"];
  caseIds: readonly string[];
  samples: number;
  hasExecutor: boolean;
}): PlanStratum {
  const { route, target, caseIds, samples, hasExecutor } = planned;
  const cases = new Map<string, CaseCounts>(
    caseIds.map((id) => [id, { ok0: 0, ok: 0, fail: 0, known: 0, missed: 0 }]),
  );
  const buckets: PlanTable["buckets"] = { "0": 0, "1": 0, "2": 0, "3": 0, "4": 0, "5": 0, fail: 0 };
  const sums = { errors: 0, repairs: 0, handed: 0, executed: 0 };
  const tokens = { first: 0, repairs: 0, total: 0, known: 0 };
  const firstMs: number[] = [];
  const sampleMs: number[] = [];
  const failures = new Map<string, number>();

  function add(result: PlanResult): void {
    const counts = cases.get(result.caseId);
    if (counts === undefined) return;
    if (result.selected !== null) {
      counts.known++;
      if (result.selected.length === 0) counts.missed++;
    }
    if (result.outcome === "error") {
      sums.errors++;
      return;
    }
    addOutcome(result, counts);
    if (result.ms !== null) sampleMs.push(result.ms);
    const first = firstAttemptMs(result);
    if (first !== null) firstMs.push(first);
    addTokens(result);
    for (const { executed } of result.attempts) {
      if (executed !== null) sums.handed++;
      if (executed === true) sums.executed++;
    }
  }

  function addOutcome(result: PlanResult, counts: CaseCounts): void {
    if (result.outcome === "fail") {
      counts.fail++;
      buckets.fail++;
      for (const reason of planFailures(result)) failures.set(reason, (failures.get(reason) ?? 0) + 1);
      return;
    }
    const repairs = result.repairs ?? 0;
    counts.ok++;
    if (repairs === 0) counts.ok0++;
    sums.repairs += repairs;
    buckets[repairBucket(repairs)]++;
  }

  function addTokens({ tokens: used }: PlanResult): void {
    if (used === null) return;
    tokens.known++;
    tokens.first += used.first;
    tokens.repairs += used.repairs;
    tokens.total += used.total;
  }

  function table(): PlanTable {
    const rows = [...cases.values()];
    const counted = rows.map(({ ok, fail }) => ok + fail);
    const n = total(counted);
    const ok = n - buckets.fail;
    const ok0Rate = rateFigure({ passed: rows.map((row) => row.ok0), trials: counted });
    const successRate = rateFigure({ passed: rows.map((row) => row.ok), trials: counted });
    const planned = cases.size * samples;
    return {
      route,
      target,
      planned,
      n,
      ok,
      fail: buckets.fail,
      error: sums.errors,
      ok0Rate: ok0Rate.value,
      successRate: successRate.value,
      intervals: { ok0Rate: ok0Rate.interval ?? null, successRate: successRate.interval ?? null },
      buckets: { ...buckets },
      meanRepairs: ratio(sums.repairs, ok),
      firstMs: summarizeTimes(firstMs),
      sampleMs: summarizeTimes(sampleMs),
      tokens: {
        first: ratio(tokens.first, tokens.known),
        repairs: ratio(tokens.repairs, tokens.known),
        total: ratio(tokens.total, tokens.known),
        known: tokens.known,
      },
      ...(hasExecutor && { execRate: ratio(sums.executed, sums.handed) }),
      coverage: ratio(n, planned),
      ...(route === "routed" && { hitRate: hitRate(rows) }),
      topFailures: topFailures(failures),
    };
  }

  return { caseIds, add, leaveOut: (caseId) => void cases.delete(caseId), table };
}

function repairBucket(repairs: number): keyof PlanTable["buckets"] {
  return String(Math.min(repairs, 5)) as keyof PlanTable["buckets"];
}

/** A first attempt that timed out took the whole time; leaving it out would improve the figures. */
function firstAttemptMs({ firstMs, outcome, attempts, ms }: PlanResult): number | null {
  return firstMs ?? (outcome === "fail" && attempts.length === 0 ? ms : null);
}

function ratio(above: number, below: number): number | null {
  return below === 0 ? null : above / below;
}

/** Added up in the order of their size: floating point sums depend on the order. */
function summarizeTimes(times: readonly number[]): PlanTable["sampleMs"] {
  const sorted = Float64Array.from(times).sort();
  const sum = sorted.reduce((all, ms) => all + ms, 0);
  return { avg: ratio(sum, sorted.length), p95: percentile(sorted, 0.95) };
}

/** A case is hit where something was selected every time. */
function hitRate(rows: readonly CaseCounts[]): number | null {
  const known = rows.filter((row) => row.known > 0);
  return ratio(known.filter(({ missed }) => missed === 0).length, known.length);
}

function topFailures(failures: ReadonlyMap<string, number>): PlanTable["topFailures"] {
  return [...failures]
    .map(([reason, count]) => ({ reason, count }))
    .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
    .slice(0, maxShownFailures);
}
