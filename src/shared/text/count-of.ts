/** A number of things, with the word for them: `1 cell`, `60 cells`, `2 queries`. */
export function countOf(count: number, noun: string, nouns = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : nouns}`;
}
