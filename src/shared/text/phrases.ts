/** A number of things, with the word for them: `1 cell`, `60 cells`, `2 queries`. */
export function pluralize(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}

/** The first few of many, for a sentence: `a, b, c and 2 more`. */
export function listed(items: readonly string[], max: number, separator = ", "): string {
  const more = items.length - max;
  return items.slice(0, max).join(separator) + (more > 0 ? ` and ${more} more` : "");
}
