import pc from "picocolors";
import { duration, milliseconds, perSecond } from "../../report/text/format-numbers.ts";
import { fitWidth, textWidth } from "../../report/text/text-width.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { doneCells, measurePace, type ProgressState, slowestCell } from "./progress-state.ts";

export interface BarOptions {
  /** Columns the line may take. */
  width: number;
  /** Monotonic milliseconds. */
  nowMs: number;
  color: boolean;
}

const gap = "  ";
const slowAfterMs = 1_000;
const shortestName = 8;

/** The live line: `███░░ 312/500  ✓ 301 ✗ 8 ! 3  128/s  ETA 2 s  slowest: …`. What does not fit is left out, from the end. */
export function progressBar(progress: ProgressState, { width, nowMs, color }: BarOptions): string {
  const paint = pc.createColors(color);
  const count = `${doneCells(progress)}/${progress.cells}`;
  const bar = drawBar(progress, width < 100 ? 10 : 20);
  const head = textWidth(bar) + 1 + count.length;
  if (head > width) return fitWidth(count, width);

  let line = `${paint.cyan(bar)} ${count}`;
  let columnsLeft = width - head;
  for (const part of [
    ...earlierPart(progress, paint),
    countsPart(progress, paint),
    ...pacePart(progress, nowMs, paint),
  ]) {
    const needed = gap.length + textWidth(part.text);
    if (needed > columnsLeft) return line;
    line += gap + part.painted;
    columnsLeft -= needed;
  }
  return line + slowestPart(progress, nowMs, columnsLeft, paint);
}

type Paint = ReturnType<typeof pc.createColors>;

/** Text is measured without its colours. */
interface Part {
  text: string;
  painted: string;
}

function drawBar(progress: ProgressState, length: number): string {
  const share = progress.cells === 0 ? 0 : Math.min(1, doneCells(progress) / progress.cells);
  const full = Math.floor(share * length);
  return "█".repeat(full) + "░".repeat(length - full);
}

function earlierPart({ alreadyDone }: ProgressState, paint: Paint): Part[] {
  const text = `${alreadyDone} earlier`;
  return alreadyDone > 0 ? [{ text, painted: paint.dim(text) }] : [];
}

function countsPart({ ended }: ProgressState, paint: Paint): Part {
  const parts: Part[] = [
    countPart("✓", ended.pass, paint.green),
    countPart("✗", ended.fail, paint.red),
    countPart("!", ended.error + ended.timeout, paint.yellow),
    ...(ended.invalid > 0 ? [countPart("?", ended.invalid, paint.magenta)] : []),
  ];
  return {
    text: parts.map((part) => part.text).join(" "),
    painted: parts.map((part) => part.painted).join(" "),
  };
}

function countPart(sign: string, count: number, paint: (text: string) => string): Part {
  const text = `${sign} ${count}`;
  return { text, painted: count > 0 ? paint(text) : text };
}

function pacePart(progress: ProgressState, nowMs: number, paint: Paint): Part[] {
  const pace = measurePace(progress, nowMs);
  if (pace === null) return [];
  const texts = [perSecond(pace.cellsPerSecond), `ETA ${duration(pace.remainingMs)}`];
  return texts.map((text) => ({ text, painted: paint.dim(text) }));
}

/** The longest-running cell, in the remaining columns; quick cells would only flicker. */
function slowestPart(progress: ProgressState, nowMs: number, columnsLeft: number, paint: Paint): string {
  const slowest = slowestCell(progress);
  if (slowest === null || nowMs - slowest.sinceMs < slowAfterMs) return "";
  const { subject, caseId, trial } = slowest.cell;
  const rest = ` #${trial} ${milliseconds(nowMs - slowest.sinceMs)}`;
  const nameColumns = columnsLeft - gap.length - "slowest: ".length - textWidth(rest);
  const name = visibleText(`${subject}/${caseId}`);
  if (nameColumns < Math.min(shortestName, textWidth(name))) return "";
  return `${gap}${paint.dim(`slowest: ${fitWidth(name, nameColumns)}${rest}`)}`;
}
