import type { Cell } from "../contract/cell.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Shard } from "../contract/shard.ts";

/** A suite with some of its cells; what it says about whole subjects is then not for the history. */
export function narrowSuite(suite: SuiteRun, keeps: (cell: Cell) => boolean): SuiteRun {
  let size = 0;
  for (const cell of suite.cells) if (keeps(cell)) size++;
  if (size === suite.cells.size) return suite;
  function* cells() {
    for (const cell of suite.cells) if (keeps(cell)) yield cell;
  }
  return { ...suite, isPartial: true, cells: { size, [Symbol.iterator]: cells } };
}

/** The cells that belong to a shard: chosen by their keys, so that every machine chooses alike. */
export function shardSuite(suite: SuiteRun, { index, count }: Shard): SuiteRun {
  // Keys are hashes, so their first digits spread evenly.
  const part = (key: string) => Number.parseInt(key.slice(key.indexOf(":") + 1).slice(0, 12), 16) % count;
  return { ...narrowSuite(suite, ({ key }) => part(key) === index - 1), isPartial: true };
}
