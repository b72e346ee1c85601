/** The first few of many, for a sentence: `a, b, c and 2 more`. */
export function listed(items: readonly string[], atMost: number, separator = ", "): string {
  const more = items.length - atMost;
  return items.slice(0, atMost).join(separator) + (more > 0 ? ` and ${more} more` : "");
}
