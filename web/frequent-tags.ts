import type { CellResult } from "../src/contract/result.ts";

/** The tags of the cells by name, at most so many: the most frequent ones. */
export function frequentTags(cells: readonly CellResult[], limit: number): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of cells) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, limit);
  return frequent.map(([tag]) => tag).sort();
}
