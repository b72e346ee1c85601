import type { SuiteRun } from "../contract/level.ts";
import type { Shard } from "../contract/shard.ts";

/** The cells of a suite that belong to a shard: chosen by their keys, so that every machine chooses alike. */
export function shardSuite(suite: SuiteRun, shard: Shard): SuiteRun {
  let size = 0;
  for (const { key } of suite.cells) if (isInShard(key, shard)) size++;
  function* cells() {
    for (const cell of suite.cells) if (isInShard(cell.key, shard)) yield cell;
  }
  return { ...suite, isPartial: true, cells: { size, [Symbol.iterator]: cells } };
}

/** Keys are hashes, so their first digits spread evenly. */
function isInShard(key: string, { index, count }: Shard): boolean {
  const digits = key.slice(key.indexOf(":") + 1);
  return Number.parseInt(digits.slice(0, 12), 16) % count === index - 1;
}
