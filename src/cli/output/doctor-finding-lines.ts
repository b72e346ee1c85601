import type pc from "picocolors";
import { type Diagnostic, messageWithoutPlace } from "../../contract/findings.ts";
import { fitWidthEnd, padWidth, textWidth, wrappedWords } from "../../report/text/text-width.ts";
import { countOf } from "../../shared/text/phrases.ts";
import { shorten, visibleText } from "../../shared/text/visible-text.ts";

/** What lines are drawn on. */
export interface Canvas {
  paint: ReturnType<typeof pc.createColors>;
  /** Columns of the terminal; null where lines stay whole. */
  width: number | null;
}

/** A finding as it is shown. */
export interface ShownFinding {
  diagnostic: Diagnostic;
  /** In front of its words: where it was found, or how often. */
  place: string;
  /** Below them. */
  below?: string | undefined;
}

const longestMessage = 400;

/** Findings below each other: mark, code, place, what is wrong, and the first time how to fix it. */
export function findingLines(findings: readonly ShownFinding[], canvas: Canvas): string[] {
  const { paint } = canvas;
  const places = findings.map(({ place }) => fitWidthEnd(place, longestPlace(canvas)));
  const placeWidth = places.reduce((widest, place) => Math.max(widest, textWidth(place)), 0);
  const hinted = new Set<string>();
  return findings.flatMap(({ diagnostic, below = "" }, at) => {
    const { code, severity, hint } = diagnostic;
    const mark = severity === "error" ? paint.red("✗") : paint.yellow("!");
    const place = placeWidth === 0 ? "" : `${padWidth(places[at] ?? "", placeWidth)}  `;
    const start = `  ✗ ${code}  ${place}`;
    const isNew = !hinted.has(hint);
    hinted.add(hint);
    const room = roomBeside(textWidth(start), canvas);
    const [first, ...more] = wordLines(
      shownMessage(diagnostic),
      isNew ? visibleText(hint) : "",
      room,
      canvas,
    );
    const asides = below === "" ? [] : wrappedWords(below, room).map(paint.dim);
    return [
      `  ${mark} ${code}  ${paint.dim(place)}${first}`,
      ...[...more, ...asides].map((line) => `${" ".repeat(textWidth(start))}${line}`),
    ];
  });
}

/** How many columns are left of a line; endless where breaking it would help nobody. */
export function roomBeside(taken: number, { width }: Canvas): number {
  return width === null || width < narrowest ? Number.POSITIVE_INFINITY : width - taken;
}

const narrowest = 50;

function longestPlace({ width }: Canvas): number {
  return Math.max(16, Math.floor((width ?? 120) / 3));
}

/** How many more there are of each rule. */
export function moreLine(rest: readonly Diagnostic[], unlisted: number, { paint }: Canvas): string[] {
  const counts = new Map<string, number>();
  for (const { code } of rest) counts.set(code, (counts.get(code) ?? 0) + 1);
  const words = [...counts].map(([code, count]) => `${count} more ${code}`);
  if (unlisted > 0) words.push(countOf(unlisted, "more finding"));
  return words.length === 0 ? [] : [`    ${paint.dim(`and ${words.join(", ")}`)}`];
}

/** Where it was found: `SKILL.md:3`; nothing where it is about the folder. */
export function placeOf({ file, line }: Pick<Diagnostic, "file" | "line">): string {
  if (file === ".") return "";
  return `${visibleText(file)}${line === null ? "" : `:${line}`}`;
}

/** The words, without the place they begin with, which stands beside them. */
export function shownMessage(diagnostic: Diagnostic): string {
  return visibleText(shorten(messageWithoutPlace(diagnostic), longestMessage));
}

/** Words and, dimmed, how to fix them: on one line where there is room, else below. */
function wordLines(message: string, hint: string, room: number, { paint }: Canvas): string[] {
  const aside = hint === "" ? "" : ` (${hint})`;
  const lines = wrappedWords(message, room);
  const last = lines.pop() ?? "";
  if (textWidth(last) + textWidth(aside) <= room) return [...lines, `${last}${paint.dim(aside)}`];
  return [...lines, last, ...(hint === "" ? [] : wrappedWords(`(${hint})`, room).map(paint.dim))];
}
