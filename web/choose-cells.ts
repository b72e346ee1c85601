import type { SkillName } from "../src/contract/report.ts";
import type { TaskResult } from "../src/contract/task-result.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { isSameSkill, type SkillCell } from "./skill-cell.ts";
import type { SortOrder } from "./sort-header.tsx";
import { compareKnown } from "./sort-skills.ts";
import { statusOrder } from "./status-order.ts";

type CellColumn = "status" | "task" | "skill" | "trial" | "score" | "latency";

/** What the reader wants to see of the cells, and in which order. */
export interface CellQuery {
  /** Words that all have to occur somewhere in the cell. */
  text: string;
  /** Empty: every status. */
  statuses: readonly Verdict[];
  skill: SkillName | null;
  tag: string | null;
  order: SortOrder<CellColumn>;
}

/** All cells, those that did not pass first. */
export const everyCell: CellQuery = {
  text: "",
  statuses: [],
  skill: null,
  tag: null,
  order: { by: "status", isDescending: false },
};

export interface ChosenCells {
  /** Places in the list of cells, in the order asked for. */
  places: readonly number[];
  /** How many cells of each status the other conditions let through. */
  counts: Readonly<Record<Verdict, number>>;
}

/** Finds and orders the cells a query asks for. Plain places in a list: a hundred thousand take a blink. */
export function chooseCells(cells: readonly SkillCell[], query: CellQuery): ChosenCells {
  const words = query.text.toLowerCase().split(/\s+/).filter(Boolean);
  const counts: Record<Verdict, number> = { pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
  const places: number[] = [];
  for (const [place, cell] of cells.entries()) {
    if (query.skill !== null && !isSameSkill(cell, query.skill)) continue;
    if (query.tag !== null && !cell.tags.includes(query.tag)) continue;
    if (words.length > 0 && !hasWords(cell, words)) continue;
    counts[cell.status]++;
    if (query.statuses.length === 0 || query.statuses.includes(cell.status)) places.push(place);
  }
  const compare = comparison(cells, query.order);
  return { places: places.sort((a, b) => compare(a, b) || a - b), counts };
}

const names = new Intl.Collator("en", { numeric: true });

function comparison(
  cells: readonly TaskResult[],
  { by, isDescending }: SortOrder<CellColumn>,
): (a: number, b: number) => number {
  const sign = isDescending ? -1 : 1;
  const at = (place: number) => cells[place] as TaskResult;
  switch (by) {
    case "status": {
      const rank = new Map(statusOrder.map((status, index) => [status, index]));
      return (a, b) => sign * ((rank.get(at(a).status) ?? 0) - (rank.get(at(b).status) ?? 0));
    }
    case "task":
      return (a, b) => sign * names.compare(at(a).taskId, at(b).taskId);
    case "skill":
      return (a, b) => sign * names.compare(at(a).skillId, at(b).skillId);
    case "trial":
      return (a, b) => sign * (at(a).trial - at(b).trial);
    case "score":
      return (a, b) => compareKnown(at(a).score, at(b).score, sign);
    case "latency":
      return (a, b) => sign * (at(a).latencyMs - at(b).latencyMs);
    default:
      return by satisfies never;
  }
}

/** Texts are gathered when first searched and kept as long as their cells. */
const gathered = new WeakMap<TaskResult, string>();

function hasWords(cell: TaskResult, words: readonly string[]): boolean {
  let text = gathered.get(cell);
  if (text === undefined) {
    const { taskId, skillId, tags, reason, error, output } = cell;
    const told = typeof output === "string" ? output : JSON.stringify(output);
    text = [taskId, skillId, ...tags, reason, error?.code, error?.message, told].join("\n").toLowerCase();
    gathered.set(cell, text);
  }
  const searched = text;
  return words.every((word) => searched.includes(word));
}
