import { subjectName } from "../../contract/cell.ts";
import type { Level } from "../../contract/level.ts";
import type { FinishedReport, RunHistory } from "../../contract/store.ts";
import { levels as allLevels } from "../../levels/levels.ts";
import type { HistoryRow, Trend } from "../../report/history/history-row.ts";
import { roundMs, roundShare } from "../../shared/statistics/numbers.ts";

export interface HistoryRequest {
  subject?: string | undefined;
  suite?: string | undefined;
  /** UTC, as `isoTime` writes it. */
  since?: string | undefined;
  limit: number;
}

/** More would not fit next to their figures. */
const trendLength = 30;

/** The results of subjects on suites, newest first, and how each went as long as its cases were the same. */
export async function readHistory(
  history: RunHistory,
  { subject, suite, since = "", limit }: HistoryRequest,
  levels: readonly Level[] = allLevels,
): Promise<{ rows: HistoryRow[]; trends: Trend[] }> {
  const shown: Shown[] = [];
  const series: Series[] = [];
  const newest = new Map<string, Series>();
  // Older runs are read too: the first one shown is compared with the one before it, which may not be shown.
  for await (const page of history.finishedReports({ subject, suite }))
    for (const report of page) {
      const name = subjectName(report.subject);
      const key = JSON.stringify([report.subject.level, report.subject.suite, name]);
      const cases = report.subject.casesDigest;
      const found = newest.get(key);
      const isSame = found !== undefined && found.cases === cases;
      const rate = headlineRate(report, levels);
      if (found?.newer != null) {
        if (isSame) found.newer.before = rate;
        else found.newer.hasNewCases = true;
      }
      const isShown = shown.length < limit && report.finishedAt >= since;
      const row: Shown | null = isShown ? { report, before: null, hasNewCases: false } : null;
      if (row !== null) shown.push(row);
      if (isSame) {
        found.newer = row;
        if (report.finishedAt >= since && found.rates.length < trendLength) found.rates.unshift(rate);
      } else if (row !== null || found !== undefined) {
        // A suite that was edited begins a series of its own: figures of other cases do not continue it.
        const { suite: on } = report.subject;
        const begun = {
          subject: name,
          suite: on,
          isOver: found !== undefined,
          cases,
          newer: row,
          rates: [rate],
        };
        newest.set(key, begun);
        if (row !== null) series.push(begun);
      }
    }
  return {
    rows: shown.map((row) => historyRow(row, levels)),
    trends: series.map(({ subject: name, suite: on, isOver, rates }) => ({
      subject: name,
      suite: on,
      isOver,
      rates,
    })),
  };
}

interface Shown {
  report: FinishedReport;
  /** The rate of the run before; null where there is none or nothing is known of it. */
  before: number | null;
  hasNewCases: boolean;
}

interface Series extends Trend {
  rates: (number | null)[];
  /** The digest of its cases, as far as it is known. */
  cases: string | undefined;
  /** The next newer report of the series, where it is shown. */
  newer: Shown | null;
}

function headlineRate({ subject }: FinishedReport, levels: readonly Level[]): number | null {
  const [headline] = levels.find(({ name }) => name === subject.level)?.metrics ?? [];
  return subject.metrics[headline?.name ?? "completionRate"]?.value ?? null;
}

function historyRow({ report, before, hasNewCases }: Shown, levels: readonly Level[]): HistoryRow {
  const { runId, finishedAt, subject } = report;
  const rate = headlineRate(report, levels);
  // A level that does not list a figure has none: a query has no partial score and no composite.
  const listed = new Set(
    levels.find(({ name }) => name === subject.level)?.metrics.map(({ name }) => name) ?? [],
  );
  const value = (name: string) => (listed.has(name) ? (subject.metrics[name]?.value ?? null) : null);
  return {
    runId,
    finishedAt,
    level: subject.level,
    suite: subject.suite,
    subject: subjectName(subject),
    skillVersion: subject.skillVersion,
    trials: subject.trials,
    rate: roundShare(rate),
    partialScore: roundShare(value("partialScore")),
    errorRate: roundShare(value("errorRate")),
    latencyP95Ms: roundMs(subject.metrics.latencyP95Ms?.value ?? null),
    compositeScore: roundShare(value("compositeScore")),
    deltaRate: rate !== null && before !== null ? roundShare(rate - before) : null,
    hasNewCases,
  };
}
