import type { CellName, RunEvent } from "../../contract/event.ts";
import { type Verdict, verdicts } from "../../contract/result.ts";

export interface RunningCell {
  cell: CellName;
  /** Monotonic milliseconds. */
  sinceMs: number;
}

/** How far a run is. Grows with the cells under way, never with the cells of the run. */
export interface ProgressState {
  /** Null until the run has begun. */
  startedMs: number | null;
  cells: number;
  /** Done by an earlier process. */
  alreadyDone: number;
  /** How the cells of this process ended. */
  ended: Record<Verdict, number>;
  /** By position in the plan; the one that has run longest comes first. */
  running: Map<number, RunningCell>;
  state: "running" | "done" | "interrupted";
}

export function noProgress(): ProgressState {
  return {
    startedMs: null,
    cells: 0,
    alreadyDone: 0,
    ended: { pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 },
    running: new Map(),
    state: "running",
  };
}

/** Folds one event into the progress of a run. Mutates it: every cell has three events. */
export function foldProgress(progress: ProgressState, event: RunEvent, nowMs: number): ProgressState {
  switch (event.type) {
    case "run-started":
      return { ...noProgress(), startedMs: nowMs, cells: event.cells, alreadyDone: event.alreadyDone };
    case "attempt-started": {
      if (progress.running.has(event.cell.position)) return progress; // a retry: the cell has run since its first attempt
      progress.running.set(event.cell.position, { cell: event.cell, sinceMs: nowMs });
      return progress;
    }
    case "cell-ended": {
      progress.running.delete(event.cell.position);
      progress.ended[event.result.status]++;
      return progress;
    }
    case "run-ended":
      progress.running.clear();
      progress.state = event.state;
      return progress;
    case "attempt-ended":
    case "warning":
      return progress;
    default:
      return event satisfies never;
  }
}

/** Cells that this process finished. */
export function endedHere({ ended }: ProgressState): number {
  return verdicts.reduce((sum, verdict) => sum + ended[verdict], 0);
}

/** Cells that are done, by whichever process. */
export function doneCells(progress: ProgressState): number {
  return progress.alreadyDone + endedHere(progress);
}

export interface Pace {
  cellsPerSecond: number;
  remainingMs: number;
}

/** How fast this process goes and how long it will take; null while nothing is known. */
export function measurePace(progress: ProgressState, nowMs: number): Pace | null {
  const ended = endedHere(progress);
  const elapsedMs = nowMs - (progress.startedMs ?? nowMs);
  if (ended === 0 || elapsedMs <= 0) return null;
  const remaining = Math.max(0, progress.cells - doneCells(progress));
  return { cellsPerSecond: (ended * 1000) / elapsedMs, remainingMs: (remaining * elapsedMs) / ended };
}

/** The cell that has been under way longest. */
export function slowestCell({ running }: ProgressState): RunningCell | null {
  for (const cell of running.values()) return cell;
  return null;
}
