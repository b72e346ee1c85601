/** A number of things, with the word for them: `1 cell`, `60 cells`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
