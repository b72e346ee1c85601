const httpDate = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? .*\d\d:\d\d:\d\d/i;

/** What a Retry-After header asks for, in milliseconds from now; undefined where it says nothing we can read. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  // `Date.parse` makes a date out of almost anything with a number in it, `-5` and `in 3 minutes` included.
  const date = httpDate.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Whoever asks for a longer pause than this is not asked again. */
export const longestDemandMs = 60_000;
