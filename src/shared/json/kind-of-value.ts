/** What a value of JSON or YAML is, in words that follow "is" or "not". */
export function kindOfValue(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? "text" : String(value);
}
