import { roundMs, roundShare } from "../aggregate/round-numbers.ts";
import { eachOf } from "../base/each-of.ts";
import type { HistoryRow, Trend } from "../contract/history-row.ts";
import type { FinishedReport, RunHistory } from "../contract/store.ts";
import { triggeringSuite } from "../contract/trigger-report.ts";
import { plannedTrials } from "./stored-plan.ts";

export interface HistoryRequest {
  skillId?: string | undefined;
  benchmarkId?: string | undefined;
  /** UTC, as `isoTime` writes it. */
  since?: string | undefined;
  limit: number;
}

/** More would not fit beside their figures. */
const trendLength = 30;

/** What happened to skills on benchmarks, newest first, and how each pair of them went. */
export async function readHistory(
  history: RunHistory,
  { skillId, benchmarkId, since = "", limit }: HistoryRequest,
): Promise<{ rows: HistoryRow[]; trends: Trend[] }> {
  const shown: Shown[] = [];
  const pairs = new Map<string, Pair>();
  // Older runs are read too: the first one shown is compared with the one before it, which may not be shown.
  for await (const report of eachOf(history.finishedReports({ skillId, benchmarkId }))) {
    const key = JSON.stringify([report.skillId, report.benchmarkId]);
    const pair = pairs.get(key);
    const rate = rateOf(report);
    if (pair?.newer != null) pair.newer.before = rate;
    const isShown = shown.length < limit && report.finishedAt >= since;
    const row: Shown | null = isShown ? { report, before: null } : null;
    if (row !== null) shown.push(row);
    if (pair !== undefined) {
      pair.newer = row;
      if (report.finishedAt >= since && pair.rates.length < trendLength) pair.rates.unshift(rate);
    } else if (row !== null) {
      pairs.set(key, {
        skillId: report.skillId,
        benchmarkId: report.benchmarkId,
        newer: row,
        rates: [rate],
      });
    }
  }
  const runs = await trialsOf(history, shown);
  return {
    rows: shown.map(({ report, before }) => rowOf(report, before, runs.get(report.runId) ?? null)),
    trends: [...pairs.values()].map(({ newer: _, ...trend }) => trend),
  };
}

interface Shown {
  report: FinishedReport;
  /** Completion rate of the run before; null where there is none or nothing is known of it. */
  before: number | null;
}

interface Pair extends Trend {
  rates: (number | null)[];
  /** The report that came just before in the reading, so just after in time, where it is shown. */
  newer: Shown | null;
}

/** Run id → trials per task, as far as the plans say. */
async function trialsOf(history: RunHistory, shown: readonly Shown[]): Promise<Map<string, number | null>> {
  const trials = new Map<string, number | null>();
  for (const runId of new Set(shown.map(({ report }) => report.runId))) {
    const run = await history.findRun(runId);
    trials.set(runId, run && plannedTrials(run));
  }
  return trials;
}

/** Of trigger tests the share that passed, as every report of them tells it; of tasks the completion rate. */
function rateOf({ benchmarkId, figures: { counts, summary } }: FinishedReport): number | null {
  if (benchmarkId !== triggeringSuite) return summary.completionRate;
  return counts.total === 0 ? null : counts.pass / counts.total;
}

function rowOf(report: FinishedReport, before: number | null, runs: number | null): HistoryRow {
  const { runId, finishedAt, skillId, skillVersion, benchmarkId, figures } = report;
  const { partialScore, errorRate, compositeScore } = figures.summary;
  const completionRate = rateOf(report);
  const isComparable = completionRate !== null && before !== null;
  // What a query has none of: trials of its own number, partial scores, errors, a composite.
  const ofTasks = <Value>(value: Value) => (benchmarkId === triggeringSuite ? null : value);
  return {
    runId,
    finishedAt,
    skillId,
    skillVersion,
    benchmarkId,
    runs: ofTasks(runs),
    completionRate: roundShare(completionRate),
    partialScore: ofTasks(roundShare(partialScore)),
    errorRate: ofTasks(roundShare(errorRate)),
    p95Ms: roundMs(figures.latency.p95Ms),
    compositeScore: ofTasks(roundShare(compositeScore)),
    deltaCompletion: isComparable ? roundShare(completionRate - before) : null,
  };
}
