import { allOf } from "../base/each-of.ts";
import type { CellName } from "../contract/event.ts";
import type { Json } from "../contract/json.ts";
import type { CellResult } from "../contract/result.ts";
import { sampleFigures } from "../contract/sample-figures.ts";
import { sampleResult } from "../contract/sample-result.ts";
import type { Pages, Store, StoredReport } from "../contract/store.ts";
import type { Verdict } from "../contract/verdict.ts";

/** A record that starts empty and is gone when the test ends. */
export interface StoreGround extends AsyncDisposable {
  /** Opens the record, also a second time. */
  open(): Promise<Store>;
  /** Lets another process create this run and hold its lock. Disposing kills that process and waits until it is gone. */
  holdElsewhere(runId: string): Promise<AsyncDisposable>;
}

export function newRun(id: string) {
  return { id, plan: {} as Json, startedAt: at(0), toolVersion: "1.0.0" };
}

export function at(minute: number): string {
  return `2026-03-01T07:${String(minute).padStart(2, "0")}:00.000Z`;
}

export function nameOf(position: number): CellName {
  return {
    cellKey: `cell-${position}`,
    position,
    suiteId: "bench",
    skillId: "skill",
    taskId: `task-${position}`,
    trial: 1,
  };
}

export function newResult(position: number, changes: Partial<CellResult> = {}): CellResult {
  const { cellKey, skillId, taskId, trial } = nameOf(position);
  return sampleResult({ taskId, skillId, trial, cellKey, finishedAt: at(1), ...changes });
}

export function report(skillId: string): StoredReport {
  return {
    skillId,
    benchmarkId: "bench",
    skillVersion: "1.0.0",
    skillDigest: "sha256:skill",
    figures: sampleFigures(),
    finishedAt: at(9),
  };
}

/** Ends a run as done in this minute. */
export function finish(
  store: Store,
  runId: string,
  minute: number,
  ...reports: StoredReport[]
): Promise<void> {
  const finishedAt = at(minute);
  return store.finishRun(
    runId,
    "done",
    reports.map((one) => ({ ...one, finishedAt })),
    finishedAt,
  );
}

/** Ends a cell; waits for no company. */
export function end(
  store: Store,
  runId: string,
  position: number,
  changes: Partial<CellResult> = {},
): Promise<void> {
  const ended = gather(store, runId, position, changes);
  store.flush();
  return ended;
}

/** Ends a cell and lets the store gather others beside it. */
export function gather(
  store: Store,
  runId: string,
  position: number,
  changes: Partial<CellResult> = {},
): Promise<void> {
  return store.cellEnded(runId, "bench", position, newResult(position, changes));
}

export async function openWithRuns(ground: StoreGround, ...ids: string[]): Promise<Store> {
  const store = await ground.open();
  for (const id of ids) await store.createRun(newRun(id));
  return store;
}

export async function keysOf(pages: Pages<string>): Promise<string[]> {
  return (await allOf(pages)).map((text) => (JSON.parse(text) as CellResult).cellKey);
}

export function reasonOf(text: string): string {
  return (JSON.parse(text) as CellResult).reason ?? "";
}

export async function statusOf(store: Store, runId: string, position: number): Promise<Verdict> {
  return (JSON.parse((await store.result(runId, `cell-${position}`)) ?? "") as CellResult).status;
}

export async function hasVerdict(store: Store, runId: string, cellKey: string): Promise<boolean> {
  return (await allOf(store.verdictKeys(runId))).includes(cellKey);
}
