import { isIPv4 } from "node:net";
/** What broke a connection, in words: an error that bundles several has none of its own, and a code can be looked up. */
export function networkWords(error: Error & { code?: string; errors?: readonly Error[] }): string {
  const words = error.message || error.errors?.map(({ message }) => message).join("; ") || error.name;
  return error.code === undefined || words.includes(error.code) ? words : `${words} (${error.code})`;
}

/** A status other than success, in words, with what the server said about it. */
export function statusWords(status: number, details: string): string {
  return details === "" ? `HTTP ${status}` : `HTTP ${status}: ${details}`;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

export function redirectWords(status: number): string {
  return `HTTP ${status} redirect is not followed`;
}

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

/** The URL this text is, where it is one for http or https; else null. */
export function webAddress(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

/** Whether the host of a URL is this machine. */
export function isLoopbackHost(hostname: string): boolean {
  if (hostname === "localhost" || hostname.endsWith(".localhost") || hostname === "[::1]") return true;
  return isIPv4(hostname) && hostname.startsWith("127.");
}
