import type { Interval } from "../../contract/document.ts";
import type { Usage } from "../../contract/outcome.ts";
import { pluralize } from "../../shared/text/phrases.ts";

/** Shown for unknown values. */
const unknown = "–";

/** A rate as people read it: `95.0%`. Only a true 1 is `100.0%`, and only a true 0 is `0.0%`. */
export function percent(rate: number | null): string {
  if (rate === null) return unknown;
  const text = (rate * 100).toFixed(1);
  if (text === "100.0" && rate < 1) return ">99.9%";
  if (text === "0.0" && rate > 0) return "<0.1%";
  return `${text}%`;
}

/** The bounds of a rate in percent, `86.3–98.3`; empty where there are none. */
export function percentBounds(interval: Pick<Interval, "lower" | "upper"> | null): string {
  return interval === null ? "" : `${(interval.lower * 100).toFixed(1)}–${(interval.upper * 100).toFixed(1)}`;
}

/** A change of a rate in points, with its sign: `−25.0 pp`. */
export function signedPoints(delta: number): string {
  return `${signedHundredths(delta)} pp`;
}

/** The same for a sentence: `25.0 points`. */
export function points(size: number): string {
  return `${(size * 100).toFixed(1)} points`;
}

/** Both ends of a change, for a sentence: `between −12.3 and +4.1 points`. */
export function betweenPoints({ lower, upper }: Pick<Interval, "lower" | "upper">): string {
  return `between ${signedHundredths(lower)} and ${signedHundredths(upper)} points`;
}

function signedHundredths(delta: number): string {
  const written = (Math.abs(delta) * 100).toFixed(1);
  return `${written === "0.0" ? "±" : delta > 0 ? "+" : "−"}${written}`;
}

/** The bounds of a mean, `0.8667–1`; empty where there are none. */
export function fractionBounds(interval: Pick<Interval, "lower" | "upper"> | null): string {
  return interval === null ? "" : `${fraction(interval.lower)}–${fraction(interval.upper)}`;
}

/** A measured time: `1.2 ms`, `412 ms`, `4.1 s`, `1 m 05 s`. */
export function milliseconds(ms: number | null): string {
  if (ms === null) return unknown;
  if (ms < 9.95) return `${Number(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  return duration(ms);
}

/** A span in whole units, for estimates: `2 s`, `1 m 05 s`, `2 h 03 m`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${twoDigits(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${twoDigits(minutes % 60)} m`;
}

/** How fast something goes: `128/s`, `2.4/s`. */
export function perSecond(rate: number): string {
  return `${rate < 9.95 ? Number(rate.toFixed(1)) : rate.toFixed(0)}/s`;
}

/** A composite score, always with four decimals so that columns line up: `0.9673`. */
export function compositeScore(score: number | null): string {
  return score === null ? unknown : score.toFixed(4);
}

/** Any other value between 0 and 1, as short as it is: `1`, `0.5`, `0.9592`. */
export function fraction(value: number | null): string {
  return value === null ? unknown : String(Number(value.toFixed(4)));
}

/** Money, fine enough for a single call: `$1.30`, `$0.0042`. Only a true 0 is `$0.00`. */
export function usd(amount: number | null): string {
  if (amount === null) return unknown;
  if (amount >= 0.0995 || amount === 0) return `$${amount.toFixed(2)}`;
  return amount < 0.000001 ? "<$0.000001" : `$${Number(amount.toPrecision(2))}`;
}

/** An amount of data: `0 bytes`, `812 bytes`, `24.0 KB`, `1.3 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return pluralize(count, "byte");
  if (count < 999_950) return `${(count / 1000).toFixed(1)} KB`;
  if (count < 999_950_000) return `${(count / 1e6).toFixed(1)} MB`;
  return `${(count / 1e9).toFixed(1)} GB`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, "0");
}

/** A whole number with its thousands apart: `1,240`. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** A number of things, however many: `1 skill`, `2,322 skills`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** How many of several verdicts are expected to be wrong: `about 1 false verdict expected`. */
export function expectedFalse(count: number): string {
  const whole = Math.round(count);
  return whole === 0
    ? "less than 1 false verdict expected"
    : `about ${pluralize(whole, "false verdict")} expected`;
}

/** Tokens and money as far as they are known: `12 in, 3 out, 15 in all, $0.0042`; empty where nothing is. */
export function describeUsage({ promptTokens, completionTokens, totalTokens, costUsd }: Usage): string {
  const parts = [
    promptTokens === null ? "" : `${promptTokens} in`,
    completionTokens === null ? "" : `${completionTokens} out`,
    totalTokens === null ? "" : `${totalTokens} in all`,
    costUsd === null ? "" : usd(costUsd),
  ];
  return parts.filter((part) => part !== "").join(", ");
}
