import type { AgentResult } from "../src/contract/agent-report.ts";
import type { ScoreName } from "../src/reporters/agent/dimension-words.ts";
import { type AgentStanding, agentStandingOf, agentStandings } from "./agent-standing.ts";
import type { SortOrder } from "./sort-header.tsx";

/** A score by its name, too: what is wrong there comes first. */
export type ResultColumn = "status" | "case" | "model" | ScoreName;

/** What the reader wants to see of the cells of agent cases, and in which order. */
export interface ResultChoice {
  /** Words that all have to occur somewhere in the cell. */
  text: string;
  /** Empty: however they ended. */
  standings: readonly AgentStanding[];
  suite: string | null;
  model: string | null;
  tag: string | null;
  /** Only cells that did not pass here. */
  dimension: ScoreName | null;
  order: SortOrder<ResultColumn>;
}

/** All cells, those that did not pass first. */
export const everyResult: ResultChoice = {
  text: "",
  standings: [],
  suite: null,
  model: null,
  tag: null,
  dimension: null,
  order: { by: "status", isDescending: false },
};

export interface ChosenResults {
  /** Places in the list of results, in the order asked for. */
  places: readonly number[];
  /** How many of each standing the other conditions let through. */
  counts: Readonly<Record<AgentStanding, number>>;
}

/** Finds and orders the cells that are asked for. */
export function chooseResults(results: readonly AgentResult[], choice: ResultChoice): ChosenResults {
  const words = choice.text.toLowerCase().split(/\s+/).filter(Boolean);
  const counts: Record<AgentStanding, number> = { failed: 0, "no verdict": 0, passed: 0, baseline: 0 };
  const places: number[] = [];
  for (const [place, result] of results.entries()) {
    if (choice.suite !== null && result.suite !== choice.suite) continue;
    if (choice.model !== null && result.model !== choice.model) continue;
    if (choice.tag !== null && !result.tags.includes(choice.tag)) continue;
    if (choice.dimension !== null && !isWrong(result, choice.dimension)) continue;
    if (words.length > 0 && !hasWords(result, words)) continue;
    const standing = agentStandingOf(result);
    counts[standing]++;
    if (choice.standings.length === 0 || choice.standings.includes(standing)) places.push(place);
  }
  const compare = comparison(results, choice.order);
  return { places: places.sort((a, b) => compare(a, b) || a - b), counts };
}

/** Whether a cell failed in a dimension, or nothing could be seen there. */
export function isWrong({ scores }: AgentResult, name: ScoreName): boolean {
  const status = scores[name]?.status;
  return status === "fail" || status === "not_observed";
}

const names = new Intl.Collator("en", { numeric: true });
const statusRanks = { fail: 0, not_observed: 1, pass: 2, not_applicable: 3 } as const;

function comparison(
  results: readonly AgentResult[],
  { by, isDescending }: SortOrder<ResultColumn>,
): (a: number, b: number) => number {
  const sign = isDescending ? -1 : 1;
  const at = (place: number) => results[place] as AgentResult;
  const ranked = (rank: (result: AgentResult) => number) => (a: number, b: number) =>
    sign * (rank(at(a)) - rank(at(b)));
  if (by === "status") return ranked((result) => agentStandings.indexOf(agentStandingOf(result)));
  if (by === "model") return (a, b) => sign * names.compare(at(a).model, at(b).model);
  if (by === "case")
    return (a, b) =>
      sign *
      (names.compare(at(a).suite, at(b).suite) ||
        names.compare(at(a).case_id, at(b).case_id) ||
        at(a).trial - at(b).trial);
  return ranked(({ scores }) => statusRanks[scores[by]?.status ?? "not_applicable"]);
}

/** Texts are gathered when first searched and kept as long as their results. */
const gathered = new WeakMap<AgentResult, string>();

function hasWords(result: AgentResult, words: readonly string[]): boolean {
  let text = gathered.get(result);
  if (text === undefined) {
    const { suite, case_id, title, model, run_id, tags, failures, no_verdict, not_exercised, warnings } =
      result;
    const told = failures.flatMap(({ dimension, code, message }) => [dimension, code, message]);
    const { selected, rejected } = result.scores.trigger;
    text = [
      ...[
        suite,
        case_id,
        title,
        model,
        run_id,
        no_verdict?.code,
        no_verdict?.message,
        result.stats.stop_reason,
      ],
      ...[...tags, ...told, ...not_exercised, ...warnings, ...selected, ...rejected],
    ]
      .join("\n")
      .toLowerCase();
    gathered.set(result, text);
  }
  const searched = text;
  return words.every((word) => searched.includes(word));
}
