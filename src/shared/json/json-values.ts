/** Whether a value is what JSON calls an object: neither null nor a list. */
export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a value of JSON or YAML is, in words that follow "is" or "not". */
export function kindOfValue(value: unknown): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "a map";
  return typeof value === "string" ? "text" : String(value);
}

const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** Keys that would reach into an object's prototype instead of the object. */
export function isUnsafeKey(key: string): boolean {
  return forbidden.has(key);
}

/** Whether a value has all that a part names: members of objects at any depth, lists item by item, everything else exactly. */
export function fitsPart(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part))
    return (
      Array.isArray(whole) &&
      whole.length === part.length &&
      part.every((item, index) => fitsPart(item, whole[index]))
    );
  if (!isMap(part)) return part === whole;
  return (
    isMap(whole) &&
    Object.entries(part).every(([key, value]) => Object.hasOwn(whole, key) && fitsPart(value, whole[key]))
  );
}

/** How many values there are in a value of JSON, itself included; past `most` they are not counted further. */
export function countValues(value: unknown, max: number): number {
  let count = 1;
  const waiting = [value];
  while (waiting.length > 0 && count <= max) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const key in next) {
      if (++count > max) break;
      waiting.push((next as Record<string, unknown>)[key]);
    }
  }
  return count;
}
