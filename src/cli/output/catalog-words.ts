import type { JudgeName } from "../../contract/trigger-report.ts";
import type {
  CatalogDiff,
  CatalogReport,
  ComparedTools,
  NewQuery,
  QueryChange,
} from "../../operations/catalog/compare/catalog-report.ts";
import { fraction, percent, percentBounds } from "../../report/text/format-numbers.ts";
import { intervalLabel } from "../../report/view/interval-words.ts";
import { listed, pluralize } from "../../shared/text/phrases.ts";

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
    queries === 0 ? "nothing moved" : `${countQueries(queries)} of ${pluralize(pairs, "skill")} moved`;
  return `routing: ${verdict}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
}

/** How often the judge contradicts itself; null where it cannot. */
export function describeFlipRate({ flipRate }: CatalogDiff): string | null {
  if (flipRate === null) return null;
  if (flipRate.rate === null)
    return "the judge never answered twice, so changes cannot be distinguished from chance";
  const { count, of, rate, interval } = flipRate;
  const bounds = interval === null ? "" : ` [${percentBounds(interval)}] ${intervalLabel(interval)}`;
  return `the judge contradicts itself on ${count} of ${countQueries(of)} of the base (${percent(rate)}${bounds}); changes within that range are inconclusive`;
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

/** A report in one sentence: how many requests get their skill, who is in whose way, what is not known. */
export function describeCatalog(report: CatalogReport): {
  words: string;
  isClean: boolean;
  isUnknown: boolean;
} {
  const { selfRouting, steals, offTopic } = report;
  const unanswered = report.unanswered + offTopic.unanswered;
  const right = selfRouting.reduce((sum, { top1, selected }) => sum + (top1 ?? selected).count, 0);
  const of = selfRouting.reduce((sum, { queries }) => sum + queries, 0);
  const stolen = steals.reduce((sum, { share }) => sum + share.count, 0);
  const thieves = new Set(steals.map(({ to }) => to)).size;
  const own =
    of === 0 ? "no queries" : `${right} of ${countQueries(of)} get their skill (${percent(right / of)})`;
  const parts = [
    own,
    ...(stolen === 0 ? [] : [`${stolen} stolen, by ${pluralize(thieves, "skill")}`]),
    ...(offTopic.count === 0 ? [] : [`${pluralize(offTopic.count, "off-topic request")} would load one`]),
    ...(unanswered === 0 ? [] : [`${unanswered} without an answer`]),
  ];
  return {
    words: `catalog: ${parts.join(", ")}`,
    isClean: right === of && stolen === 0 && offTopic.count === 0,
    isUnknown: unanswered > 0,
  };
}

/** Repeats of a judge, and the share of yes that decides; reports of other versions may lack them. */
type JudgeSampling = Partial<Record<"repeats" | "threshold", number | undefined>>;

/** Who judged queries, how, and why it was this one: `model claude-… (8 repeats, threshold 0.5), eval.yaml`. */
export function describeJudge(judge: JudgeName, sampling: JudgeSampling = {}): string {
  return `${judgeLabel(judge)}${samplingWords(judge, sampling)}${judge.why === undefined || judge.why === "" ? "" : `, ${judge.why}`}`;
}

/** The kind with its model: `catalog claude-…`, `router (lexical)`. */
function judgeLabel({ kind, model, label = kind }: JudgeName): string {
  return model === null || label.includes(model) ? label : `${label} ${model}`;
}

/** A router is deterministic, so its repeats say nothing. */
function samplingWords({ kind }: JudgeName, { repeats, threshold }: JudgeSampling): string {
  if (repeats === undefined || threshold === undefined || (kind === "router" && repeats === 1)) return "";
  return repeats === 1 ? " (asked once)" : ` (${repeats} repeats, threshold ${fraction(threshold)})`;
}

/** `1 query`, `20 queries`, `3 more queries`. */
export function countQueries(count: number, which = ""): string {
  return `${count} ${which === "" ? "" : `${which} `}${count === 1 ? "query" : "queries"}`;
}
