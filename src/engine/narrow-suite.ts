import { type Cell, type PlannedCase, type Subject, subjectName } from "../contract/cell.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Shard } from "../contract/shard.ts";

/** A suite with some of its cells; what it says about whole subjects is then not for the history. */
function narrowSuite(suite: SuiteRun, keeps: (cell: Cell) => boolean): SuiteRun {
  let size = 0;
  for (const cell of suite.cells) if (keeps(cell)) size++;
  if (size === suite.cells.size) return suite;
  function* cells() {
    for (const cell of suite.cells) if (keeps(cell)) yield cell;
  }
  return { ...suite, isPartial: true, cells: { size, [Symbol.iterator]: cells } };
}

/** A suite without some cases, as if it had never had them; null where none is left. */
export function withoutCases(
  suite: SuiteRun,
  isLeftOut: (subject: Subject, one: PlannedCase) => boolean,
): SuiteRun | null {
  const kept = new Map<string, readonly PlannedCase[]>();
  for (const subject of suite.subjects) {
    const all = suite.casesOf(subject);
    const cases = all.filter((one) => !isLeftOut(subject, one));
    // Lists that are one stay one: they are shown once.
    kept.set(subjectName(subject), cases.length === all.length ? all : cases);
    const left = all.filter((one) => !cases.includes(one));
    if (left.length > 0) suite.fold?.leaveOut?.(subject, suite.id, new Set(left.map(({ id }) => id)));
  }
  const casesOf = (subject: Subject) => kept.get(subjectName(subject)) ?? [];
  const subjects = suite.subjects.filter((subject) => casesOf(subject).length > 0);
  if (subjects.length === 0) return null;
  return { ...narrowSuite(suite, (cell) => !isLeftOut(cell.subject, cell.case)), subjects, casesOf };
}

/** The cells that belong to a shard: chosen by their keys, so that every machine chooses alike. */
export function shardSuite(suite: SuiteRun, { index, count }: Shard): SuiteRun {
  // Keys are hashes, so their first digits spread evenly.
  const part = (key: string) => Number.parseInt(key.slice(key.indexOf(":") + 1).slice(0, 12), 16) % count;
  return { ...narrowSuite(suite, ({ key }) => part(key) === index - 1), isPartial: true };
}
