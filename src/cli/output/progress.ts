import pc from "picocolors";
import type { Listener, RunEvent } from "../../contract/event.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { liveLine, type ProgressStream } from "./live-line.ts";
import { progressBar } from "./progress-bar.ts";
import { attemptLines, cellLines, endLine, isNothingLeft, startLine, stateLine } from "./progress-lines.ts";
import { doneCells, foldProgress, noProgress } from "./progress-state.ts";

export interface ProgressOptions {
  stream: ProgressStream;
  isTerminal: boolean;
  color: boolean;
  verbose: boolean;
  clock: Clock;
}

const redrawEveryMs = 100;
const lineEveryMs = 5_000;
/** Short runs should not print many lines. */
const leastPauseMs = 1_000;

/** Shows how a run is going: a live line on a terminal, now and then a plain line elsewhere. */
export function progressListener(options: ProgressOptions): { onEvent: Listener; close(): void } {
  const { stream, isTerminal, color, verbose, clock } = options;
  const paint = pc.createColors(color);
  const output = liveLine(stream);
  let progress = noProgress();
  let shownMs = Number.NEGATIVE_INFINITY;
  let tenthsShown = 0;
  let isClosed = false;
  let timer: NodeJS.Timeout | null = null;

  function onEvent(event: RunEvent): void {
    if (isClosed && event.type !== "warning") return; // a warning is worth a line even after the end
    const nowMs = clock.monotonic();
    progress = foldProgress(progress, event, nowMs);
    const lines = linesFor(event, nowMs);
    output.print(lines);
    if (verbose && !isTerminal && lines.length > 0) shownMs = nowMs; // the log itself shows progress
    if (event.type === "run-started") begin(nowMs);
    if (event.type === "run-ended") close();
    else refresh();
  }

  function linesFor(event: RunEvent, nowMs: number): string[] {
    switch (event.type) {
      case "warning":
        return [`${paint.yellow("warning:")} ${visibleText(event.message)}`];
      case "attempt-ended":
        return verbose ? attemptLines(event) : [];
      case "cell-ended":
        return verbose ? cellLines(event, progress) : [];
      case "run-started":
        return isTerminal && !isNothingLeft(event) ? [] : [startLine(event)];
      case "run-ended":
        return isTerminal ? [] : [endLine(progress, nowMs)];
      case "attempt-started":
        return [];
      default:
        return event satisfies never;
    }
  }

  function begin(nowMs: number): void {
    if (!isTerminal) shownMs = nowMs;
    tenthsShown = tenthsDone();
    timer ??= setInterval(refresh, redrawEveryMs).unref();
  }

  function refresh(): void {
    if (isClosed || progress.startedMs === null) return;
    const nowMs = clock.monotonic();
    if (isTerminal) {
      if (nowMs - shownMs < redrawEveryMs) return;
      output.show(progressBar(progress, { width: output.width(), nowMs, color }));
    } else {
      const isFurther = !verbose && tenthsDone() > tenthsShown && nowMs - shownMs >= leastPauseMs;
      const isDue = nowMs - shownMs >= lineEveryMs || isFurther;
      if (!isDue || doneCells(progress) >= progress.cells) return; // the end prints its own last line
      output.print([stateLine(progress, nowMs)]);
      tenthsShown = tenthsDone();
    }
    shownMs = nowMs;
  }

  function tenthsDone(): number {
    return progress.cells === 0 ? 0 : Math.floor((doneCells(progress) * 10) / progress.cells);
  }

  function close(): void {
    isClosed = true;
    if (timer !== null) clearInterval(timer);
    output.clear();
  }

  return { onEvent, close };
}
