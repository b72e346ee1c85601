export const longestRetryAfterMs = 60_000;

/** What a Retry-After header asks for, in milliseconds from now; undefined where it says nothing we can read. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) return Math.max(0, Number(text) * 1000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
