import type { SubjectView } from "../../contract/format.ts";
import type { Fact } from "../../contract/view.ts";
import { padWidth, textWidth } from "../text/text-width.ts";
import { type IntervalKey, intervalKey } from "./interval-words.ts";
import { knownFigures, tallyWords } from "./outline.ts";
import { showInTable, withNote } from "./show-value.ts";
import { type TextTerms, tonePaint } from "./text-blocks.ts";
import { stateMarks } from "./verdict-words.ts";
import { oneLine } from "./wrap-words.ts";

interface Named {
  view: SubjectView;
  name: string;
}

interface RowTerms extends TextTerms {
  /** Columns a line may take; null: as many as it needs. */
  maxColumns: number | null;
}

interface Figure {
  text: string;
  labelLength: number;
  tone: Fact["tone"];
}

const markWidth = 2;
const gap = "  ";

interface SubjectRows {
  /** By subject. */
  rows: string[][];
  /** What the intervals in them are about; null where there are none. */
  key: string | null;
}

/** A line per subject: its mark, name, how many passed, and its figures below each other. What does not fit is left out, the last figure first. */
export function subjectRows(subjects: readonly Named[], terms: RowTerms): SubjectRows {
  const maxColumns = terms.maxColumns ?? Number.POSITIVE_INFINITY;
  const names = subjects.map(({ name }) => oneLine(name));
  // A few long names must not push the figures of all others to the right.
  const nameLimit = Math.max(16, Math.floor(Math.min(maxColumns, 100) * 0.35));
  const nameWidth = Math.max(0, ...names.map(textWidth).filter((width) => width <= nameLimit));
  const tallies = subjects.map(({ view }) => tallyWords(view));
  const tallyWidth = Math.max(0, ...tallies.map(textWidth));
  const key = intervalKey(subjects.flatMap(({ view }) => view.facts));
  const figures = fitFigures(subjects, key, maxColumns - markWidth - nameWidth - gap.length - tallyWidth);
  const rows = subjects.map(({ view }, row) => {
    const name = names[row] ?? "";
    const head = `${stateMark(view, terms)} ${terms.paint.bold(padWidth(name, nameWidth))}`;
    const rest = [
      padWidth(tallies[row] ?? "", tallyWidth),
      ...figures.map(({ cells, width }) => figureText(cells[row], width, terms)),
    ]
      .join(gap)
      .trimEnd();
    if (textWidth(name) <= nameLimit) return [`${head}${gap}${rest}`];
    return [head, `${" ".repeat(markWidth + nameWidth)}${gap}${rest}`];
  });
  return { rows, key: figures.some(({ hasIntervals }) => hasIntervals) ? key.words : null };
}

function stateMark({ state }: SubjectView, { paint }: TextTerms): string {
  const tones = { failed: paint.red, unknown: paint.yellow, passed: paint.green, reference: paint.dim };
  return tones[state](stateMarks[state]);
}

function figureText(figure: Figure | undefined, width: number, terms: TextTerms): string {
  if (figure === undefined) return " ".repeat(width);
  const text = padWidth(figure.text, width);
  const { labelLength } = figure;
  return `${terms.paint.dim(text.slice(0, labelLength))}${tonePaint(figure.tone, terms)(text.slice(labelLength))}`;
}

interface FigureColumn {
  /** By row. */
  cells: (Figure | undefined)[];
  width: number;
  hasIntervals: boolean;
}

/** As many figures as fit. Intervals show that a sample is small, so they are dropped only where not one figure fits with its interval. */
function fitFigures(subjects: readonly Named[], key: IntervalKey, maxColumns: number): FigureColumn[] {
  const whole = figureColumns(subjects, key);
  const isFitting = (columns: readonly FigureColumn[]) =>
    columns.reduce((sum, { width }) => sum + gap.length + width, 0) <= maxColumns;
  for (let count = whole.length; count > 0; count--)
    if (isFitting(whole.slice(0, count))) return whole.slice(0, count);
  const first = figureColumns(subjects, null).slice(0, 1);
  return isFitting(first) ? first : [];
}

/** Without a key, without intervals. */
function figureColumns(subjects: readonly Named[], key: IntervalKey | null): FigureColumn[] {
  return knownFigures(subjects.map(({ view }) => view)).map(({ label }) => {
    const facts = subjects.map(({ view }) => view.facts.find((fact) => fact.label === label));
    const cells = facts.map((fact) => fact && makeFigure(fact, key));
    const width = Math.max(0, ...cells.map((cell) => textWidth(cell?.text ?? "")));
    return { cells, width, hasIntervals: key !== null && facts.some((fact) => fact?.interval != null) };
  });
}

function makeFigure(fact: Fact, key: IntervalKey | null): Figure {
  const label = oneLine(fact.label);
  const { interval: _, ...plain } = fact;
  const value = oneLine(key === null ? withNote(plain) : showInTable(fact, key));
  return { text: `${label} ${value}`, labelLength: label.length, tone: fact.tone };
}
