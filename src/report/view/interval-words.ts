import type { Fact, FactInterval } from "../../contract/view.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";

/** So many cases bear an interval; with fewer it covers less than it says, near 0 and 1 above all. */
const enoughCases = 20;

type Basis = Pick<FactInterval, "estimates" | "cases" | "trials">;

/** What an interval is about: `for cases like these (20 cases × 3)`. */
export function intervalLabel(interval: Basis): string {
  const { estimates, cases } = interval;
  const what = estimates === "cases-like-these" ? "for cases like these" : "for a rerun of these cases";
  return `${what} (${basis(interval)})${cases < enoughCases ? ", few cases" : ""}`;
}

/** What it rests on: `20 cases × 3`; the number of trials where not all cases have the same. */
function basis(interval: Basis): string {
  const { cases, trials } = interval;
  const each = trials / cases;
  if (each === 1) return countCases(interval);
  return `${countCases(interval)}${Number.isInteger(each) ? ` × ${each}` : `, ${trials} trials`}`;
}

/** Of how many cases it is, where what it is about is said elsewhere: `7 cases, few`. */
export function casesWords(interval: Basis): string {
  return `${countCases(interval)}${interval.cases < enoughCases ? ", few" : ""}`;
}

function countCases({ cases }: Basis): string {
  return pluralize(cases, "case");
}

/** What the intervals of a table are about. */
export interface IntervalKey {
  /** Said once for the table; null where it has no interval. */
  readonly words: string | null;
  /** What is said beside an interval that is about something else; empty for the others. */
  beside(fact: Fact): string;
}

/** What most intervals of a table are about is said once; one over another number of cases says so itself. */
export function intervalKey(facts: readonly Fact[]): IntervalKey {
  const groups = groupedBy(
    facts.flatMap(({ interval, value }) => (interval == null || value === null ? [] : [interval])),
    ({ estimates, cases }) => JSON.stringify([estimates, cases]),
  );
  const common = [...groups.values()].sort((a, b) => b.length - a.length)[0]?.[0];
  if (common === undefined) return { words: null, beside: () => "" };
  return {
    words: `[95% interval] ${intervalLabel(common)}`,
    beside({ interval, value }) {
      if (interval == null || value === null) return "";
      if (interval.estimates !== common.estimates) return intervalLabel(interval);
      if (interval.cases === common.cases) return "";
      // Where the others are few as well, that has been said.
      return `(${common.cases < enoughCases ? countCases(interval) : casesWords(interval)})`;
    },
  };
}

/** What the intervals of many figures are about, for programs: the label that most share, then the figures with another one. */
export function describeIntervals(metrics: Readonly<Record<string, { interval: Basis | null }>>): string {
  const names = new Map<string, string[]>();
  for (const [name, { interval }] of Object.entries(metrics)) {
    if (interval === null) continue;
    const label = intervalLabel(interval);
    names.set(label, [...(names.get(label) ?? []), name]);
  }
  const [common, ...others] = [...names].sort(([, a], [, b]) => b.length - a.length);
  if (common === undefined) return "";
  const rest = others.map(([label, own]) => `${own.join(", ")}: ${label}`);
  return [`95% intervals ${common[0]}`, ...rest].join("; ");
}
