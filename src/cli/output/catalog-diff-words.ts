import type {
  CatalogDiff,
  ComparedTools,
  NewQuery,
  QueryChange,
} from "../../operations/catalog/compare/catalog-report.ts";
import { percent, percentBounds } from "../../report/text/format-numbers.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { listed } from "../../shared/text/listed.ts";
import { countQueries } from "./describe-trigger-counts.ts";

const changeWords: Readonly<Record<QueryChange, string>> = {
  moved: "moved",
  lost: "lost",
  gained: "gained",
  "still-wrong": "still wrong",
  kept: "kept",
  unknown: "without an answer",
};

/** A comparison in one sentence: `moved 3 queries by 1 pair: 3 moved, 1 gained, 36 kept`. */
export function describeCatalogDiff({ counts, moved }: CatalogDiff): string {
  const order = Object.keys(changeWords) as QueryChange[];
  const parts = order
    .filter((change) => counts[change] > 0)
    .map((change) => `${counts[change]} ${changeWords[change]}`);
  const sure = moved.filter(({ isInconclusive }) => !isInconclusive);
  const queries = sure.reduce((sum, { count }) => sum + count, 0);
  const pairs = new Set(sure.map(({ from }) => from)).size;
  const verdict =
    queries === 0 ? "nothing moved" : `${countQueries(queries)} of ${countOf(pairs, "skill")} moved`;
  return `routing: ${verdict}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

/** How often the judge contradicts itself; null where it cannot. */
export function describeFlipRate({ flipRate }: CatalogDiff): string | null {
  if (flipRate === null) return null;
  if (flipRate.rate === null)
    return "the judge never answered twice, so changes cannot be distinguished from chance";
  const { count, of, rate, interval } = flipRate;
  return `the judge contradicts itself on ${count} of ${countQueries(of)} of the base (${percent(rate)}, ${percentBounds(interval)}); changes within that range are inconclusive`;
}

/** What became of queries that only the new state has: `5 new queries: 4 right, 1 wrong`. */
export function describeNewQueries(queries: readonly NewQuery[]): string {
  const count = (isRight: boolean | null) => queries.filter((query) => query.isRight === isRight).length;
  const parts = [
    `${count(true)} right`,
    ...(count(false) > 0 ? [`${count(false)} wrong`] : []),
    ...(count(null) > 0 ? [`${count(null)} without an answer`] : []),
  ];
  return `${countQueries(queries.length, "new")}: ${parts.join(", ")}`;
}

/** What became of the tools of a skill, without its name. */
export function describeTools({ renamed, removed, added }: ComparedTools): string {
  return [
    ...renamed.map(({ from, to }) => `${from} is now ${to}`),
    ...(removed.length > 0 ? [`removed ${listed(removed, 10)}`] : []),
    ...(added.length > 0 ? [`added ${listed(added, 10)}`] : []),
  ].join("; ");
}

/** A chance as people read it: `1`, `0.25`, `0.0039`, `<0.0001`. */
export function chance(p: number): string {
  return p < 0.0001 ? "<0.0001" : String(Number(p.toPrecision(2)));
}
