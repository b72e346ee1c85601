import type { CellName, EventOf } from "../../contract/event.ts";
import type { CellResult } from "../../contract/result.ts";
import { duration, milliseconds, perSecond } from "../../report/text/format-numbers.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { doneCells, endedHere, measurePace, type ProgressState, slowestCell } from "./progress-state.ts";

/** Whether a run that was resumed was complete before. */
export function isNothingLeft({ cells, alreadyDone }: EventOf<"run-started">): boolean {
  return cells > 0 && alreadyDone >= cells;
}

/** How a run begins: `60 cells, 12 already done`. */
export function startLine(event: EventOf<"run-started">): string {
  const { cells, alreadyDone, reused = 0, runId } = event;
  if (reused > 0)
    return reused >= cells
      ? `nothing changed: ${pluralize(cells, "verdict")} kept`
      : `${pluralize(cells, "cell")}, ${reused} unchanged`;
  if (isNothingLeft(event))
    return `nothing left to do: run ${runId} is complete, ${pluralize(cells, "cell")}`;
  const done = alreadyDone > 0 ? `, ${alreadyDone} already done` : "";
  return `${pluralize(cells, "cell")}${done}`;
}

/** How far a run is, for logs: `30/60: 28 pass, 1 fail, 1 error, 12/s, ETA 3 s`. */
export function stateLine(progress: ProgressState, nowMs: number): string {
  const pace = measurePace(progress, nowMs);
  const parts = verdictCounts(progress);
  if (pace !== null) parts.push(perSecond(pace.cellsPerSecond), `ETA ${duration(pace.remainingMs)}`);
  const slowest = slowestCell(progress);
  if (slowest !== null && nowMs - slowest.sinceMs >= 1_000)
    parts.push(`slowest: ${cellName(slowest.cell)} ${milliseconds(nowMs - slowest.sinceMs)}`);
  return `${doneCells(progress)}/${progress.cells}: ${parts.join(", ")}`;
}

/** How a run ended: `done: 60/60, 57 pass, 2 fail, 1 error, after 20.5 s`. */
export function endLine(progress: ProgressState, nowMs: number): string {
  const after = `after ${milliseconds(nowMs - (progress.startedMs ?? nowMs))}`;
  const counts = endedHere(progress) > 0 ? verdictCounts(progress) : [];
  const parts = [`${doneCells(progress)}/${progress.cells}`, ...counts, after];
  return `${progress.state}: ${parts.join(", ")}`;
}

/** One cell that ended: `12/60 pass my_calc coding_003 #1 84 ms`, and the stack of a scorer that threw. */
export function cellLines({ cell, result }: EventOf<"cell-ended">, progress: ProgressState): string[] {
  const why = result.status === "pass" ? "" : describeResult(result);
  const line = `${doneCells(progress)}/${progress.cells} ${result.status} ${cellName(cell)} ${milliseconds(result.latencyMs)}`;
  const { scorerStack } = isMap(result.details) ? result.details : {};
  return [
    why === "" ? line : `${line}: ${visibleText(why)}`,
    ...(typeof scorerStack === "string" ? splitLines(scorerStack).map((text) => `    scorer | ${text}`) : []),
  ];
}

/** One attempt, with what the skill printed beside its answer. */
export function attemptLines({
  cell,
  attempt,
  stray = [],
  stderrTail = "",
}: EventOf<"attempt-ended">): string[] {
  const { n, status, code, latencyMs, message } = attempt;
  const cause = [code, message].filter((word) => word !== null).join(": ");
  const line = `  attempt ${n} ${status} ${cellName(cell)} ${milliseconds(latencyMs)}`;
  return [
    cause === "" ? line : `${line}: ${visibleText(cause)}`,
    ...stray.flatMap(splitLines).map((text) => `    stdout | ${text}`),
    ...splitLines(stderrTail).map((text) => `    stderr | ${text}`),
  ];
}

function cellName({ subject, caseId, trial }: CellName): string {
  return `${visibleText(subject)} ${visibleText(caseId)} #${trial}`;
}

/** How the cells of this process ended; those of an earlier one are counted apart, since how they ended is not known here. */
function verdictCounts({ ended, alreadyDone }: ProgressState): string[] {
  const earlier = alreadyDone > 0 ? [`${alreadyDone} earlier`] : [];
  const parts = [
    ...earlier,
    `${ended.pass} pass`,
    `${ended.fail} fail`,
    `${ended.error + ended.timeout} error`,
  ];
  return ended.invalid > 0 ? [...parts, `${ended.invalid} invalid`] : parts;
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  return lines.map(visibleText);
}

/** Why a cell ended as it did: the cause where something broke, else the scorer's reason. */
function describeResult({ cause, reason }: CellResult): string {
  return cause === null ? (reason ?? "") : `${cause}: ${reason ?? ""}`;
}
