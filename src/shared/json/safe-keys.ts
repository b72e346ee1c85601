const forbidden = new Set(["__proto__", "constructor", "prototype"]);

/** Keys that would reach into an object's prototype instead of the object. */
export function isUnsafeKey(key: string): boolean {
  return forbidden.has(key);
}
