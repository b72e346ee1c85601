import type { Counts, Verdict } from "../../src/contract/result.ts";
import { trialWords } from "../../src/report/view/cell-words.ts";
import type { Case, Cell, Subject } from "./read-report.ts";

/** The trials of a case for a subject. */
export interface Entry {
  subject: Subject;
  one: Case;
  cells: readonly Cell[];
}

/** Cases by subjects; or, where subjects have cases of their own, a strip of its cases for each. */
export interface MatrixPart {
  title: string;
  kind: "grid" | "strips";
  subjects: readonly Subject[];
  cases: readonly Case[];
  entries: ReadonlyMap<string, Entry>;
}

export const entryKey = (subject: Subject, one: Case) => `${subject.index},${one.index}`;

/** `Tasks by skill`, `Queries of each skill`. */
export function matrixTitle({ kind, subjects }: MatrixPart): string {
  const { caseNouns, subjectNoun } = subjects[0]?.suite ?? {
    caseNouns: ["", "cases"],
    subjectNoun: "subject",
  };
  const cases = `${caseNouns[1].charAt(0).toUpperCase()}${caseNouns[1].slice(1)}`;
  return kind === "grid" ? `${cases} by ${subjectNoun}` : `${cases} of each ${subjectNoun}`;
}

/** Suites whose subjects share their cases are matrices; what is left of each level is strips. */
export function matrixParts(cells: readonly Cell[]): MatrixPart[] {
  const entries = new Map<string, Entry & { cells: Cell[] }>();
  for (const cell of cells) {
    const key = entryKey(cell.subject, cell.one);
    const entry = entries.get(key);
    if (entry === undefined) entries.set(key, { subject: cell.subject, one: cell.one, cells: [cell] });
    else entry.cells.push(cell);
  }
  const all = [...entries.values()];
  for (const { cells } of all) cells.sort((a, b) => a.trial - b.trial);
  const suites = groupBy(all, ({ subject }) => subject.suite);
  const isGrid = (suite: readonly Entry[]) => {
    const subjects = new Set(suite.map(({ subject }) => subject)).size;
    return !suite.some(({ one }) => one.isOwn) && (subjects > 1 || suites.size === 1);
  };
  const grids = [...suites].filter(([, suite]) => isGrid(suite));
  const rest = [...suites].filter(([, suite]) => !isGrid(suite));
  return [
    ...grids.map(([{ id, level }, suite]) => makePart(`${id} (${level})`, "grid", suite)),
    ...[...groupBy(rest, ([{ level }]) => level)].map(([level, suites]) =>
      makePart(
        suites.length === 1 ? `${suites[0]?.[0].id} (${level})` : level,
        "strips",
        suites.flatMap(([, suite]) => suite),
      ),
    ),
  ];
}

export function groupBy<Item, Key>(items: readonly Item[], makeKey: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = makeKey(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

function makePart(title: string, kind: MatrixPart["kind"], list: readonly Entry[]): MatrixPart {
  const byIndex = (a: { index: number }, b: { index: number }) => a.index - b.index;
  return {
    title,
    kind,
    subjects: [...new Set(list.map(({ subject }) => subject))].sort(byIndex),
    cases: [...new Set(list.map(({ one }) => one))].sort(byIndex),
    entries: new Map(list.map((entry) => [entryKey(entry.subject, entry.one), entry])),
  };
}

/** How cells ended that the matrix shows, the good end first. */
export function verdictsIn({ entries }: MatrixPart): Verdict[] {
  const found = new Set([...entries.values()].flatMap(({ cells }) => cells.map(({ status }) => status)));
  return (["pass", "fail", "error", "timeout", "invalid"] as const).filter((status) => found.has(status));
}

/** Those that did not pass with every subject. */
export function failedCases({ entries, cases }: MatrixPart): Case[] {
  const failed = [...entries.values()].filter(({ cells }) => cells.some(({ status }) => status !== "pass"));
  const found = new Set(failed.map(({ one }) => one));
  return cases.filter((one) => found.has(one));
}

/** Whether all trials of a case that have a verdict passed, none, or some. */
export function caseKind({ cells }: Entry): string {
  const known = cells.filter(({ status }) => status !== "invalid").length;
  const passed = cells.filter(({ status }) => status === "pass").length;
  return passed === known ? "no-failure" : passed === 0 ? "none-passed" : "some-passed";
}

/** What the trials of a case came to, in words. */
export function entryWords({ subject, one, cells }: Entry): string {
  const verdict = subject.verdicts.get(one.id);
  if (verdict?.words !== undefined) return verdict.words;
  const counts: Counts = { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
  for (const { status } of cells) {
    counts[status]++;
    if (status !== "invalid") counts.total++;
  }
  const attempts = Math.max(...cells.map(({ attempts }) => attempts));
  return counts.pass === cells.length && attempts > 1 ? `passed on attempt ${attempts}` : trialWords(counts);
}
