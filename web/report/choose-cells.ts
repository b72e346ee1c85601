import type { Verdict } from "../../src/contract/result.ts";
import { showValue } from "../../src/report/view/show-value.ts";
import type { SortOrder } from "./controls.tsx";
import { type PageState, statusOrder } from "./page-state.ts";
import { type Cell, cellValue, isRetried } from "./read-report.ts";

export interface ChosenCells {
  /** In the order wanted. */
  cells: readonly Cell[];
  /** How many cells of each status the other conditions let through. */
  counts: Readonly<Record<Verdict, number>>;
}

/** Finds and orders the cells that a state asks for: fifty thousand take a blink. */
export function chooseCells(all: readonly Cell[], state: PageState): ChosenCells {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  const counts: Record<Verdict, number> = { pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
  const cells = all.filter((cell) => {
    if (!isMeant(cell, state) || !hasWords(cell, words)) return false;
    counts[cell.status]++;
    return state.statuses.length === 0 || state.statuses.includes(cell.status);
  });
  const compare = comparison(state.order);
  return { cells: cells.sort((a, b) => compare(a, b) || byPlan(a, b)), counts };
}

function isMeant(cell: Cell, state: PageState): boolean {
  const { subject, one } = cell;
  const { suite, subject: name, caseId, tag, columns } = state;
  if (suite !== null && subject.suite.id !== suite) return false;
  if (name !== null && subject.name !== name) return false;
  if (caseId !== null && one.id !== caseId) return false;
  if (tag !== null && !one.tags.includes(tag)) return false;
  for (const [id, wanted] of columns) if (shownIn(cell, id) !== wanted) return false;
  return true;
}

/** What a column shows of a cell; undefined where cells of its kind do not have the column. */
export function shownIn(cell: Cell, id: string): string | undefined {
  const found = cellValue(cell, id);
  return found === undefined ? undefined : showValue(found.value);
}

/** Trials of a case come together, subjects in the order of their table. */
function byPlan(a: Cell, b: Cell): number {
  return a.subject.index - b.subject.index || a.one.index - b.one.index || a.trial - b.trial;
}

const collator = new Intl.Collator("en", { numeric: true });

function comparison({ by, isDescending }: SortOrder<string>): (a: Cell, b: Cell) => number {
  const sign = isDescending ? -1 : 1;
  if (by === "status") return (a, b) => sign * (rank(a) - rank(b));
  const value = (cell: Cell) => cellValue(cell, by)?.value ?? null;
  return (a, b) => compareKnown(value(a), value(b), sign);
}

/** What needs a look first: failures of what is tested, then passes that took a retry; what is only compared with comes last. */
function rank(cell: Cell): number {
  const order = statusOrder.indexOf(cell.status) - (isRetried(cell) ? 0.5 : 0);
  return cell.subject.state === "reference" ? order + statusOrder.length : order;
}

/** Orders two values; what is not known comes last, whichever way the rest is ordered. */
export function compareKnown(
  a: string | number | boolean | null,
  b: string | number | boolean | null,
  sign: number,
): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * collator.compare(String(a), String(b));
}

/** Texts are gathered when first searched, those of a case once for all its cells. */
const gathered = new WeakMap<object, string>();

function hasWords(cell: Cell, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { subject, one, reason, values, blocks, key } = cell;
  const ofCase = textFor(one, () => {
    const { id, name, title, tags, input, expected } = one;
    return [id, name, title, ...tags, input, JSON.stringify(expected)];
  });
  const ofCell = textFor(cell, () => {
    return [subject.name, reason, key, values.flat().join("\n"), JSON.stringify(blocks)];
  });
  return words.every((word) => ofCell.includes(word) || ofCase.includes(word));
}

function textFor(owner: object, parts: () => readonly unknown[]): string {
  const known = gathered.get(owner);
  if (known !== undefined) return known;
  const text = parts().join("\n").toLowerCase();
  gathered.set(owner, text);
  return text;
}
