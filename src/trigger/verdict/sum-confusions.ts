import type { ConfusionRow, ConfusionSummary } from "../../contract/trigger-report.ts";
import { wilson } from "../../statistics/wilson.ts";

const mostPairs = 10;

/** Puts the confusion rows of several skills together: one row per intended skill, and what stands out. */
export function sumConfusions(rows: Iterable<ConfusionRow>): ConfusionSummary {
  const summed = sumRows(rows);
  const meant = summed.filter((row): row is ConfusionRow & { intended: string } => row.intended !== null);
  const nobodys = summed.filter(({ intended }) => intended === null);
  const decided = total(meant, decidedOf);
  const offTopic = total(nobodys, decidedOf);
  return {
    rows: summed,
    top1: share(
      total(meant, ({ intended, chosen }) => (Object.hasOwn(chosen, intended) ? (chosen[intended] ?? 0) : 0)),
      decided,
    ),
    none: share(
      total(meant, ({ none }) => none),
      decided,
    ),
    offTopic: share(offTopic - total(nobodys, ({ none }) => none), offTopic),
    worstPairs: pairsOf(meant).sort(worseFirst).slice(0, mostPairs),
  };
}

/** By id, negatives of nobody last. */
function sumRows(rows: Iterable<ConfusionRow>): ConfusionRow[] {
  const sums = new Map<string | null, { chosen: Map<string, number>; none: number; undecided: number }>();
  for (const { intended, chosen, none, undecided } of rows) {
    const sum = sums.get(intended) ?? { chosen: new Map(), none: 0, undecided: 0 };
    sums.set(intended, sum);
    sum.none += none;
    sum.undecided += undecided;
    for (const [id, count] of Object.entries(chosen)) sum.chosen.set(id, (sum.chosen.get(id) ?? 0) + count);
  }
  return [...sums]
    .sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : byCodeUnit(a, b)))
    .map(([intended, { chosen, ...counts }]) => {
      const columns = [...chosen].sort(([a], [b]) => byCodeUnit(a, b));
      return { intended, chosen: Object.fromEntries(columns), ...counts };
    });
}

type Pair = ConfusionSummary["worstPairs"][number];

function pairsOf(rows: readonly (ConfusionRow & { intended: string })[]): Pair[] {
  return rows.flatMap((row) =>
    Object.entries(row.chosen)
      .filter(([chosen]) => chosen !== row.intended)
      .map(([chosen, picked]) => ({ intended: row.intended, chosen, ...share(picked, decidedOf(row)) })),
  );
}

function worseFirst(a: Pair, b: Pair): number {
  return (
    b.picked - a.picked ||
    (b.rate ?? 0) - (a.rate ?? 0) ||
    byCodeUnit(a.intended, b.intended) ||
    byCodeUnit(a.chosen, b.chosen)
  );
}

function decidedOf({ chosen, none }: ConfusionRow): number {
  return Object.values(chosen).reduce((sum, count) => sum + count, none);
}

function total<Row>(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + count(row), 0);
}

function share(picked: number, of: number) {
  return { picked, of, rate: of === 0 ? null : picked / of, interval: wilson(picked, of) };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
