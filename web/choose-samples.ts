import type { PlanResult } from "../src/contract/planbench-report.ts";
import { violationWords, whyNotOk } from "../src/reporters/planbench/sample-words.ts";
import { type SampleStanding, sampleStandingOf, sampleStandings } from "./sample-standing.ts";
import type { SortOrder } from "./sort-header.tsx";
import { compareKnown } from "./sort-skills.ts";

export type SampleColumn = "standing" | "case" | "repairs" | "tokens" | "time";

/** What the reader wants to see of the samples of a bench, and in which order. */
export interface SampleChoice {
  /** Words that all have to occur somewhere in the sample. */
  text: string;
  /** Empty: however they ended. */
  standings: readonly SampleStanding[];
  route: PlanResult["route"] | null;
  host: string | null;
  tag: string | null;
  /** Only samples that are not ok for this reason. */
  reason: string | null;
  order: SortOrder<SampleColumn>;
}

/** All samples, those that are not ok first. */
export const everySample: SampleChoice = {
  text: "",
  standings: [],
  route: null,
  host: null,
  tag: null,
  reason: null,
  order: { by: "standing", isDescending: false },
};

export interface ChosenSamples {
  /** Places in the list of results, in the order asked for. */
  places: readonly number[];
  /** How many of each standing the other conditions let through. */
  counts: Readonly<Record<SampleStanding, number>>;
}

/** Finds and orders the samples that are asked for. */
export function chooseSamples(results: readonly PlanResult[], choice: SampleChoice): ChosenSamples {
  const words = choice.text.toLowerCase().split(/\s+/).filter(Boolean);
  const counts: Record<SampleStanding, number> = {
    failed: 0,
    "no outcome": 0,
    repaired: 0,
    "ok at first": 0,
  };
  const places: number[] = [];
  for (const [place, result] of results.entries()) {
    if (choice.route !== null && result.route !== choice.route) continue;
    if (choice.host !== null && result.host !== choice.host) continue;
    if (choice.tag !== null && !result.tags.includes(choice.tag)) continue;
    if (choice.reason !== null && !whyNotOk(result).includes(choice.reason)) continue;
    if (words.length > 0 && !hasWords(result, words)) continue;
    const standing = sampleStandingOf(result);
    counts[standing]++;
    if (choice.standings.length === 0 || choice.standings.includes(standing)) places.push(place);
  }
  const compare = comparison(results, choice.order);
  return { places: places.sort((a, b) => compare(a, b) || a - b), counts };
}

const names = new Intl.Collator("en", { numeric: true });

function comparison(
  results: readonly PlanResult[],
  { by, isDescending }: SortOrder<SampleColumn>,
): (a: number, b: number) => number {
  const sign = isDescending ? -1 : 1;
  const at = (place: number) => results[place] as PlanResult;
  switch (by) {
    case "standing": {
      const rank = (place: number) => sampleStandings.indexOf(sampleStandingOf(at(place)));
      return (a, b) => sign * (rank(a) - rank(b));
    }
    case "case":
      return (a, b) => sign * (names.compare(at(a).caseId, at(b).caseId) || at(a).sample - at(b).sample);
    case "repairs":
      return (a, b) => compareKnown(at(a).repairs, at(b).repairs, sign);
    case "tokens":
      return (a, b) => compareKnown(at(a).tokens?.total ?? null, at(b).tokens?.total ?? null, sign);
    case "time":
      return (a, b) => sign * (at(a).ms - at(b).ms);
    default:
      return by satisfies never;
  }
}

/** Texts are gathered when first searched and kept as long as their results. */
const gathered = new WeakMap<PlanResult, string>();

function hasWords(result: PlanResult, words: readonly string[]): boolean {
  let text = gathered.get(result);
  if (text === undefined) {
    const { caseId, route, host, tags, cause, problem, selected, attempts, violations } = result;
    const told = [...attempts.flatMap((attempt) => attempt.violations), ...violations].map(violationWords);
    text = [caseId, route, host, cause, problem, ...tags, ...(selected ?? []), ...told]
      .join("\n")
      .toLowerCase();
    gathered.set(result, text);
  }
  const searched = text;
  return words.every((word) => searched.includes(word));
}
