import type pc from "picocolors";
import { type Diagnostic, messageWithoutLocation } from "../../contract/findings.ts";
import { fitWidthEnd, padWidth, textWidth, wrappedWords } from "../../report/text/text-width.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shorten, visibleText } from "../../shared/text/visible-text.ts";

/** Colours and width for lines. */
export interface Canvas {
  paint: ReturnType<typeof pc.createColors>;
  /** Columns of the terminal; null where lines are not wrapped. */
  width: number | null;
}

/** A finding as it is shown. */
export interface ShownFinding {
  diagnostic: Diagnostic;
  /** In front of its words: where it was found, or how often. */
  location: string;
  /** Below them. */
  below?: string | undefined;
}

const longestMessage = 400;

/** Findings as aligned lines: mark, code, location, message, and once per hint how to fix it. */
export function findingLines(findings: readonly ShownFinding[], canvas: Canvas): string[] {
  const { paint } = canvas;
  const locations = findings.map(({ location: place }) => fitWidthEnd(place, maxLocationWidth(canvas)));
  const locationWidth = locations.reduce((widest, location) => Math.max(widest, textWidth(location)), 0);
  const hinted = new Set<string>();
  return findings.flatMap(({ diagnostic, below = "" }, at) => {
    const { code, severity, hint } = diagnostic;
    const mark = severity === "error" ? paint.red("✗") : paint.yellow("!");
    const location = locationWidth === 0 ? "" : `${padWidth(locations[at] ?? "", locationWidth)}  `;
    const start = `  ✗ ${code}  ${location}`;
    const isNew = !hinted.has(hint);
    hinted.add(hint);
    const columns = columnsLeft(textWidth(start), canvas);
    const [first, ...more] = wordLines(
      shownMessage(diagnostic),
      isNew ? visibleText(hint) : "",
      columns,
      canvas,
    );
    const asides = below === "" ? [] : wrappedWords(below, columns).map(paint.dim);
    return [
      `  ${mark} ${code}  ${paint.dim(location)}${first}`,
      ...[...more, ...asides].map((line) => `${" ".repeat(textWidth(start))}${line}`),
    ];
  });
}

/** Columns left on a line; unlimited on very narrow terminals, where wrapping does not help. */
export function columnsLeft(taken: number, { width }: Canvas): number {
  return width === null || width < narrowest ? Number.POSITIVE_INFINITY : width - taken;
}

const narrowest = 50;

function maxLocationWidth({ width }: Canvas): number {
  return Math.max(16, Math.floor((width ?? 120) / 3));
}

/** How many more there are of each rule. */
export function moreLine(rest: readonly Diagnostic[], unlisted: number, { paint }: Canvas): string[] {
  const counts = new Map<string, number>();
  for (const { code } of rest) counts.set(code, (counts.get(code) ?? 0) + 1);
  const words = [...counts].map(([code, count]) => `${count} more ${code}`);
  if (unlisted > 0) words.push(pluralize(unlisted, "more finding"));
  return words.length === 0 ? [] : [`    ${paint.dim(`and ${words.join(", ")}`)}`];
}

/** Where it was found: `SKILL.md:3`; nothing where it is about the folder. */
export function findingLocation({ file, line }: Pick<Diagnostic, "file" | "line">): string {
  if (file === ".") return "";
  return `${visibleText(file)}${line === null ? "" : `:${line}`}`;
}

/** The message without its leading location, which has its own column. */
export function shownMessage(diagnostic: Diagnostic): string {
  return visibleText(shorten(messageWithoutLocation(diagnostic), longestMessage));
}

/** Message and, dimmed, its hint: on one line where it fits, else below. */
function wordLines(message: string, hint: string, columns: number, { paint }: Canvas): string[] {
  const aside = hint === "" ? "" : ` (${hint})`;
  const lines = wrappedWords(message, columns);
  const last = lines.pop() ?? "";
  if (textWidth(last) + textWidth(aside) <= columns) return [...lines, `${last}${paint.dim(aside)}`];
  return [...lines, last, ...(hint === "" ? [] : wrappedWords(`(${hint})`, columns).map(paint.dim))];
}
