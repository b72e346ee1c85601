import type { ConfusionRow, ConfusionSummary } from "../../../contract/trigger-report.ts";
import { estimateShare } from "../../../engine/figures/rate-figure.ts";
import { inOrder } from "../../../shared/text/sort-and-group.ts";

const maxPairs = 10;

/** Sums the confusion rows of several skills: one row per intended skill, and the worst pairs. */
export function sumConfusions(rows: Iterable<ConfusionRow>): ConfusionSummary {
  const summed = sumRows(rows);
  const meant = summed.filter((row): row is ConfusionRow & { intended: string } => row.intended !== null);
  const nobodys = summed.filter(({ intended }) => intended === null);
  const decided = total(meant, countDecided);
  const offTopic = total(nobodys, countDecided);
  return {
    rows: summed,
    top1: estimateShare(
      total(meant, ({ intended, chosen }) => (Object.hasOwn(chosen, intended) ? (chosen[intended] ?? 0) : 0)),
      decided,
    ),
    none: estimateShare(
      total(meant, ({ none }) => none),
      decided,
    ),
    offTopic: estimateShare(offTopic - total(nobodys, ({ none }) => none), offTopic),
    worstPairs: confusedPairs(meant).sort(worseFirst).slice(0, maxPairs),
  };
}

/** By id, negatives without an intended skill last. */
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
    .sort(([a], [b]) => (a === null ? 1 : b === null ? -1 : inOrder(a, b)))
    .map(([intended, { chosen, ...counts }]) => {
      const columns = [...chosen].sort(([a], [b]) => inOrder(a, b));
      return { intended, chosen: Object.fromEntries(columns), ...counts };
    });
}

type Pair = ConfusionSummary["worstPairs"][number];

function confusedPairs(rows: readonly (ConfusionRow & { intended: string })[]): Pair[] {
  return rows.flatMap((row) =>
    Object.entries(row.chosen)
      .filter(([chosen]) => chosen !== row.intended)
      .map(([chosen, count]) => ({
        intended: row.intended,
        chosen,
        ...estimateShare(count, countDecided(row)),
      })),
  );
}

function worseFirst(a: Pair, b: Pair): number {
  return (
    b.count - a.count ||
    (b.rate ?? 0) - (a.rate ?? 0) ||
    inOrder(a.intended, b.intended) ||
    inOrder(a.chosen, b.chosen)
  );
}

function countDecided({ chosen, none }: ConfusionRow): number {
  return Object.values(chosen).reduce((sum, count) => sum + count, none);
}

function total<Row>(rows: readonly Row[], count: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + count(row), 0);
}
