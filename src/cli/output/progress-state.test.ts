import { expect, test } from "vitest";
import { attemptStarted, cellAt, cellEnded, runStarted } from "../../../test/builders/sample-run-events.ts";
import type { RunEvent } from "../../contract/event.ts";
import { doneCells, foldProgress, measurePace, noProgress, slowestCell } from "./progress-state.ts";

/** Events with the time of each, in milliseconds. */
const fold = (...events: [RunEvent, number][]) =>
  events.reduce((progress, [event, nowMs]) => foldProgress(progress, event, nowMs), noProgress());

test("cells are counted by how they ended", () => {
  const progress = fold(
    [runStarted(5), 0],
    [cellEnded(cellAt(1)), 1],
    [cellEnded(cellAt(2), "fail"), 2],
    [cellEnded(cellAt(3), "timeout"), 3],
    [cellEnded(cellAt(4), "invalid"), 4],
  );

  expect(progress.ended).toEqual({ pass: 1, fail: 1, error: 0, timeout: 1, invalid: 1 });
  expect(doneCells(progress)).toBe(4);
});

test("a resumed run starts where the earlier one stopped", () => {
  expect(doneCells(fold([runStarted(60, 12), 0], [cellEnded(cellAt(13)), 5]))).toBe(13);
});

test("rate and estimate come from this process alone", () => {
  const progress = fold(
    [runStarted(100, 80), 0],
    [cellEnded(cellAt(81)), 500],
    [cellEnded(cellAt(82)), 1_000],
  );

  expect(measurePace(progress, 1_000)).toEqual({ cellsPerSecond: 2, remainingMs: 9_000 });
});

test("without a cell that ended there is no estimate", () => {
  expect(measurePace(fold([runStarted(100, 80), 0]), 5_000)).toBeNull();
  expect(measurePace(fold([runStarted(2), 0], [cellEnded(cellAt(1)), 0]), 0)).toBeNull();
});

test("the slowest cell is the one that has run longest, its retries included", () => {
  const progress = fold(
    [runStarted(3), 0],
    [attemptStarted(cellAt(1)), 10],
    [attemptStarted(cellAt(2)), 20],
    [attemptStarted(cellAt(1), 2), 900],
  );

  expect(slowestCell(progress)).toEqual({ cell: cellAt(1), sinceMs: 10 });
  expect(slowestCell(foldProgress(progress, cellEnded(cellAt(1)), 950))?.cell).toEqual(cellAt(2));
});

test("the state stays as small as the number of cells under way", () => {
  let progress = fold([runStarted(10_000), 0]);
  let most = 0;
  for (let position = 0; position < 10_000; position++) {
    progress = foldProgress(progress, attemptStarted(cellAt(position)), position);
    most = Math.max(most, progress.running.size);
    if (position >= 3) progress = foldProgress(progress, cellEnded(cellAt(position - 3)), position);
  }

  expect(most).toBe(4);
});

test("nothing runs any more when the run has ended", () => {
  const progress = fold(
    [runStarted(3), 0],
    [attemptStarted(cellAt(1)), 1],
    [{ type: "run-ended", state: "interrupted" }, 2],
  );

  expect(progress.state).toBe("interrupted");
  expect(slowestCell(progress)).toBeNull();
});
