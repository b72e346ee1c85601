/** Where an item stands in a list that a reader chooses from; null where none was chosen. */
export function placeIn<Item>(items: readonly Item[], item: Item | null): number | null {
  return item === null ? null : items.indexOf(item);
}

/** The reverse. */
export function itemAt<Item>(items: readonly Item[], place: number | null): Item | null {
  return place === null ? null : (items[place] ?? null);
}
