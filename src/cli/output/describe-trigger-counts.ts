/** `1 query`, `20 queries`, `3 more queries`. */
export function countQueries(count: number, which = ""): string {
  return `${count} ${which === "" ? "" : `${which} `}${count === 1 ? "query" : "queries"}`;
}
