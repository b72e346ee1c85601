import type {
  ConfusionRow,
  ConfusionSummary,
  PositionBias,
  QueryLine,
  TriggerMetrics,
  TriggerResult,
} from "../contract/trigger-report.ts";
import { wilson } from "../statistics/wilson.ts";
import { rounded, sampleCatalog } from "./sample-trigger-query.ts";

/** One judgment per entry: above 0 is yes, below it no, 0 neither. */
export function metricsOf(answers: readonly { side: QueryLine["side"]; yes: number }[]): TriggerMetrics {
  const count = (isWanted: boolean, yes: number) =>
    answers.filter((one) => (one.side === "should_match") === isWanted && one.yes === yes).length;
  const [tp, fp, tn, fn] = [count(true, 1), count(false, 1), count(false, -1), count(true, -1)];
  const share = (part: number, all: number) => (all === 0 ? null : rounded(part / all));
  const recall = share(tp, tp + fn);
  const specificity = share(tn, tn + fp);
  return {
    tp,
    fp,
    tn,
    fn,
    ties: answers.filter(({ yes }) => yes === 0).length,
    asked: answers.length,
    precision: share(tp, tp + fp),
    recall,
    specificity,
    f1: share(2 * tp, 2 * tp + fp + fn),
    accuracy: share(tp + tn, tp + tn + fp + fn),
    balancedAccuracy: recall === null || specificity === null ? null : rounded((recall + specificity) / 2),
    mcc: share(tp * tn - fp * fn, Math.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))),
    coverage: share(tp + fp + tn + fn, answers.length),
    intervals: {
      precision: bounds(tp, tp + fp),
      recall: bounds(tp, tp + fn),
      specificity: bounds(tn, tn + fp),
    },
  };
}

function bounds(part: number, all: number): { lower: number; upper: number } | null {
  const found = wilson(part, all);
  return found && { lower: rounded(found.lower), upper: rounded(found.upper) };
}

export function confusionOf(skillId: string, lines: readonly QueryLine[]): ConfusionRow[] {
  const rows = new Map<string | null, ConfusionRow>();
  for (const { side, belongsTo, chosen } of lines) {
    const intended = side === "should_match" ? skillId : belongsTo;
    const row = rows.get(intended) ?? { intended, chosen: {}, none: 0, undecided: 0 };
    rows.set(intended, row);
    if (chosen === undefined) row.undecided++;
    else if (chosen === null) row.none++;
    else row.chosen[chosen] = (row.chosen[chosen] ?? 0) + 1;
  }
  return [...rows.values()];
}

function shareOf(count: number, of: number) {
  return { count, of, rate: of === 0 ? null : rounded(count / of), interval: bounds(count, of) };
}

/** One matrix of several, as the engine puts them together. */
export function sampleConfusion(results: readonly TriggerResult[]): ConfusionSummary | null {
  const rows = new Map<string | null, ConfusionRow>();
  for (const { intended, chosen, none, undecided } of results.flatMap(({ confusion }) => confusion ?? [])) {
    const row = rows.get(intended) ?? { intended, chosen: {}, none: 0, undecided: 0 };
    rows.set(intended, row);
    row.none += none;
    row.undecided += undecided;
    for (const [id, count] of Object.entries(chosen)) row.chosen[id] = (row.chosen[id] ?? 0) + count;
  }
  const decided = ({ chosen, none }: ConfusionRow) => Object.values(chosen).reduce((a, b) => a + b, none);
  const sum = (of: (row: ConfusionRow) => number, isOwned = true) =>
    [...rows.values()]
      .filter(({ intended }) => (intended !== null) === isOwned)
      .reduce((all, row) => all + of(row), 0);
  if (rows.size === 0) return null;
  return {
    rows: [...rows.values()].sort((a, b) => ((a.intended ?? "\uffff") < (b.intended ?? "\uffff") ? -1 : 1)),
    top1: shareOf(
      sum(({ intended, chosen }) => chosen[intended ?? ""] ?? 0),
      sum(decided),
    ),
    none: shareOf(
      sum(({ none }) => none),
      sum(decided),
    ),
    offTopic: shareOf(
      sum((row) => decided(row) - row.none, false),
      sum(decided, false),
    ),
    worstPairs: [...rows.values()]
      .flatMap((row) =>
        Object.entries(row.chosen)
          .filter(([id]) => id !== row.intended && row.intended !== null)
          .map(([chosen, count]) => ({
            intended: row.intended ?? "",
            chosen,
            ...shareOf(count, decided(row)),
          })),
      )
      .toSorted((a, b) => b.count - a.count || (b.rate ?? 0) - (a.rate ?? 0))
      .slice(0, 10),
  };
}

export function biasOf(lines: readonly QueryLine[]): PositionBias {
  const third = Math.ceil(sampleCatalog.length / 3);
  const places = lines.flatMap(({ judgments }) =>
    judgments.flatMap((one) => ("chosen" in one && one.chosen ? [one.order?.indexOf(one.chosen) ?? -1] : [])),
  );
  const share = (isThere: (place: number) => boolean) => {
    const count = places.filter(isThere).length;
    const of = places.length;
    return { ...shareOf(count, of), expected: 0.5 };
  };
  return {
    first: share((place) => place < third),
    last: share((place) => place >= sampleCatalog.length - third),
  };
}
