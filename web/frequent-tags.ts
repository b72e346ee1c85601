/** The tags of cells or queries by name, at most so many: the most frequent ones. */
export function frequentTags(items: readonly { tags: readonly string[] }[], limit: number): string[] {
  const counts = new Map<string, number>();
  for (const { tags } of items) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const frequent = [...counts].sort((a, b) => b[1] - a[1]).slice(0, limit);
  return frequent.map(([tag]) => tag).sort();
}
