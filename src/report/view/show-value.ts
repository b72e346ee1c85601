import type { Fact, Scalar, Unit } from "../../contract/view.ts";
import {
  bytes,
  fraction,
  fractionBounds,
  grouped,
  milliseconds,
  percent,
  usd,
} from "../text/format-numbers.ts";
import { type IntervalKey, intervalLabel } from "./interval-words.ts";

/** A value as people read it: `95.0%`, `412 ms`, `1,240`, `yes`; `–` where it is not known. */
export function showValue(value: Scalar, unit: Unit = "text"): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value;
  return numberWords[unit](value);
}

const numberWords: Record<Unit, (value: number) => string> = {
  share: percent,
  score: fraction,
  ms: milliseconds,
  usd,
  count: (value) => (Number.isInteger(value) ? grouped(value) : fraction(value)),
  bytes,
  text: String,
};

/** A fact without its label: `81.7% [67.5–94.1] for cases like these (20 cases × 3)`. */
export function showFact(fact: Fact): string {
  const { value, interval } = fact;
  return interval == null || value === null
    ? showFigure(fact)
    : `${showFigure(fact)} ${intervalLabel(interval)}`;
}

/** The same with its note. */
export function withNote(fact: Fact): string {
  return fact.note === undefined ? showFact(fact) : `${showFact(fact)}, ${fact.note}`;
}

/** A fact in a table that says once what its intervals are about: `81.7% [67.5–94.1], 5.0% retried`. */
export function showInTable(fact: Fact, key: IntervalKey): string {
  const figure = [showFigure(fact), key.beside(fact)].filter((part) => part !== "").join(" ");
  return fact.note === undefined ? figure : `${figure}, ${fact.note}`;
}

function showFigure({ value, unit = "text", interval }: Fact): string {
  const shown = showValue(value, unit);
  return interval == null || value === null ? shown : `${shown} [${showBounds(interval, unit)}]`;
}

/** The ends of an interval in the unit of its figure, without repeating the unit. */
export function showBounds({ lower, upper }: { lower: number; upper: number }, unit: Unit): string {
  if (unit === "share") return `${(lower * 100).toFixed(1)}–${(upper * 100).toFixed(1)}`;
  if (unit === "score" || unit === "count") return fractionBounds({ lower, upper });
  const [from = "", to = ""] = [lower, upper].map((bound) => showValue(bound, unit));
  const unitOf = (words: string) => /[^\d.]*$/.exec(words)?.[0];
  // `148–204 ms`, but `980 ms–1.2 s`.
  return `${unitOf(from) === unitOf(to) ? from.slice(0, from.length - (unitOf(from) ?? "").length) : from}–${to}`;
}
