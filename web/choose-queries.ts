import type { QuerySide } from "../src/contract/triggering.ts";
import { type QueryStanding, standingOf } from "../src/reporters/describe-query.ts";
import { type ShownQuery, standings } from "./shown-query.ts";
import type { SortOrder } from "./sort-header.tsx";
import { compareKnown } from "./sort-skills.ts";

export type QueryColumn = "verdict" | "query" | "skill" | "side" | "rate";

/** What the reader wants to see of the queries, and in which order. */
export interface QueryChoice {
  /** Words that all have to occur somewhere in the query. */
  text: string;
  /** Empty: however they ended. */
  standings: readonly QueryStanding[];
  side: QuerySide | null;
  skillId: string | null;
  tag: string | null;
  order: SortOrder<QueryColumn>;
}

/** All queries, those that did not pass first. */
export const everyQuery: QueryChoice = {
  text: "",
  standings: [],
  side: null,
  skillId: null,
  tag: null,
  order: { by: "verdict", isDescending: false },
};

export interface ChosenQueries {
  /** Places in the list of queries, in the order asked for. */
  places: readonly number[];
  /** How many of each standing the other conditions let through. */
  counts: Readonly<Record<QueryStanding, number>>;
}

/** Finds and orders the queries that are asked for. */
export function chooseQueries(queries: readonly ShownQuery[], choice: QueryChoice): ChosenQueries {
  const words = choice.text.toLowerCase().split(/\s+/).filter(Boolean);
  const counts: Record<QueryStanding, number> = { failed: 0, inconclusive: 0, passed: 0 };
  const places: number[] = [];
  for (const [place, query] of queries.entries()) {
    if (choice.skillId !== null && query.skillId !== choice.skillId) continue;
    if (choice.side !== null && query.side !== choice.side) continue;
    if (choice.tag !== null && !query.tags.includes(choice.tag)) continue;
    if (words.length > 0 && !hasWords(query, words)) continue;
    const standing = standingOf(query);
    counts[standing]++;
    if (choice.standings.length === 0 || choice.standings.includes(standing)) places.push(place);
  }
  const compare = comparison(queries, choice.order);
  return { places: places.sort((a, b) => compare(a, b) || a - b), counts };
}

const names = new Intl.Collator("en", { numeric: true });

function comparison(
  queries: readonly ShownQuery[],
  { by, isDescending }: SortOrder<QueryColumn>,
): (a: number, b: number) => number {
  const sign = isDescending ? -1 : 1;
  const at = (place: number) => queries[place] as ShownQuery;
  const rank = (place: number) => standings.indexOf(standingOf(at(place)));
  switch (by) {
    case "verdict":
      return (a, b) => sign * (rank(a) - rank(b));
    case "query":
      return (a, b) => sign * names.compare(at(a).query, at(b).query);
    case "skill":
      return (a, b) => sign * names.compare(at(a).skillId, at(b).skillId);
    case "side":
      return (a, b) => sign * (Number(at(a).side !== "should_match") - Number(at(b).side !== "should_match"));
    case "rate":
      return (a, b) => compareKnown(at(a).rate, at(b).rate, sign);
    default:
      return by satisfies never;
  }
}

/** Texts are gathered when first searched and kept as long as their queries. */
const gathered = new WeakMap<ShownQuery, string>();

function hasWords(shown: ShownQuery, words: readonly string[]): boolean {
  let text = gathered.get(shown);
  if (text === undefined) {
    const { query, queryId, skillId, tags, belongsTo, cause, reason, chosen, judgments = [] } = shown;
    const said = judgments.map((judgment) =>
      Object.values(judgment).filter((value) => typeof value === "string"),
    );
    text = [query, queryId, skillId, ...tags, belongsTo, cause, reason, chosen, ...said.flat()]
      .join("\n")
      .toLowerCase();
    gathered.set(shown, text);
  }
  const searched = text;
  return words.every((word) => searched.includes(word));
}
