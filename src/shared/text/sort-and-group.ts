/** Compares texts by code units, for `sort`: the same order on every machine. */
export function inOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** Items by what they have in common, groups and items in the order they come in. */
export function groupedBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [item]);
    else known.push(item);
  }
  return groups;
}
