/** Compares texts by code units, for `sort`: the same order on every machine. */
export function inOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
