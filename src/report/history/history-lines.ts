import pc from "picocolors";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { compositeScore, milliseconds, percent } from "../text/format-numbers.ts";
import { type Column, leftOutHeads, textTable } from "../text/text-table.ts";
import { fitWidth, padWidth, textWidth } from "../text/text-width.ts";
import type { HistoryRow, Trend } from "./history-row.ts";

interface HistoryLayout {
  color: boolean;
  /** Columns of the terminal; null where nothing has to fit. */
  width: number | null;
  /** Whether the terminal can show more than ASCII. */
  isUnicode: boolean;
}

const columns: readonly Column[] = [
  { head: "Finished (UTC)" },
  { head: "Skill", least: 12 },
  { head: "Version", least: 7, isExpendable: true },
  { head: "Benchmark", least: 10 },
  { head: "Runs", align: "right", isExpendable: true },
  { head: "Completion", align: "right" },
  { head: "Change", align: "right" },
  { head: "Errors", align: "right", isExpendable: true },
  { head: "P95", align: "right", isExpendable: true },
  { head: "Score", align: "right", isExpendable: true },
  { head: "Run", isExpendable: true },
];

/** What happened, newest first, and below it how each skill went, from the oldest run to the newest. */
export function historyLines(
  rows: readonly HistoryRow[],
  trends: readonly Trend[],
  layout: HistoryLayout,
): string {
  const colors = pc.createColors(layout.color);
  // A change has no colour: green and red would call it better or worse, and it may well be noise.
  const paint = (text: string, column: string, row: number) => {
    if (row === -1 || column === "Run") return colors.dim(text);
    return column === "Skill" ? colors.bold(text) : text;
  };
  const cells = rows.map((row) => rowCells(row, layout.isUnicode));
  const table = textTable(columns, cells, { width: layout.width, paint });
  const leftOut = leftOutHeads(columns, cells, layout.width);
  if (leftOut.length > 0) table.push(colors.dim(`left out: ${leftOut.join(", ")}; see --json`));
  const drawn = trendLines(
    trends.filter(({ rates }) => rates.filter((rate) => rate !== null).length > 1),
    layout,
    colors,
  );
  return [table, drawn]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

function rowCells(row: HistoryRow, isUnicode: boolean): string[] {
  const cells = [
    row.finishedAt.slice(0, 16).replace("T", " "),
    visibleText(row.subject),
    visibleText(row.skillVersion),
    visibleText(row.suite),
    String(row.trials),
    percent(row.rate),
    row.hasNewCases ? "new cases" : change(row.deltaRate, isUnicode),
    percent(row.errorRate),
    milliseconds(row.latencyP95Ms),
    compositeScore(row.compositeScore),
    visibleText(row.runId),
  ];
  return isUnicode ? cells : cells.map((cell) => (cell === "–" ? "-" : cell));
}

/** A change in percentage points: `▼ 5.0`, `▲ 12.5`, `=`. */
function change(delta: number | null, isUnicode: boolean): string {
  if (delta === null) return "–";
  const points = Math.abs(delta * 100).toFixed(1);
  if (delta === 0) return "=";
  const size = points === "0.0" ? "<0.1" : points;
  if (delta > 0) return `${isUnicode ? "▲" : "+"} ${size}`;
  return `${isUnicode ? "▼" : "-"} ${size}`;
}

type Colors = ReturnType<typeof pc.createColors>;

function trendLines(trends: readonly Trend[], { width, isUnicode }: HistoryLayout, colors: Colors): string[] {
  const named = trends.map((trend) => ({
    ...trend,
    name: visibleText(`${trend.subject} on ${trend.suite}${trend.isOver ? ", earlier cases" : ""}`),
  }));
  const widest = Math.max(...named.map(({ name }) => textWidth(name)));
  const longest = Math.max(...named.map(({ rates }) => rates.length));
  const nameWidth = width === null ? widest : Math.min(widest, Math.max(16, width - longest - figuresWidth));
  return named.map(({ name, rates }) => {
    const line = padWidth(sparkline(rates, isUnicode), longest, "right");
    const label = padWidth(fitWidth(name, nameWidth), nameWidth);
    return `${colors.bold(label)}  ${colors.cyan(line)}  ${figureWords(rates, isUnicode, colors)}`;
  });
}

/** Maximum columns of the figures after a sparkline. */
const figuresWidth = 62;

function figureWords(rates: readonly (number | null)[], isUnicode: boolean, colors: Colors): string {
  const known = rates.filter((rate) => rate !== null);
  const arrow = isUnicode ? "→" : "->";
  const way = `${percent(known[0] ?? null)} ${arrow} ${percent(known.at(-1) ?? null)}`;
  const span = `lowest ${percent(Math.min(...known))}, highest ${percent(Math.max(...known))}`;
  return `${way}  ${colors.dim(`${span}, ${pluralize(rates.length, "run")}`)}`;
}

const blocks = "▁▂▃▄▅▆▇█";
const letters = "_.:-=+*#";
/** Minimum scale, so that a change of a few points does not look like a crash. */
const leastSpan = 0.25;

/** Rates as a row of bars, one each; a rate that is not known leaves a gap. */
export function sparkline(rates: readonly (number | null)[], isUnicode: boolean): string {
  const known = rates.filter((rate) => rate !== null);
  const top = Math.max(...known);
  const bottom = Math.min(Math.min(...known), Math.max(0, top - leastSpan));
  const bars = isUnicode ? blocks : letters;
  return rates
    .map((rate) => (rate === null ? " " : bars[barHeight(rate, bottom, top, bars.length - 1)]))
    .join("");
}

function barHeight(rate: number, bottom: number, top: number, highest: number): number {
  return top === bottom ? 0 : Math.round(((rate - bottom) / (top - bottom)) * highest);
}
