/** What stands where something else is wanted. */
export function kindInWords(value: unknown): string {
  return Array.isArray(value) ? "a list" : typeof value === "string" ? "text" : "a map";
}
