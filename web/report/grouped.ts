/** A whole number as people read it: `12,480`. */
export function grouped(count: number): string {
  return count.toLocaleString("en");
}
