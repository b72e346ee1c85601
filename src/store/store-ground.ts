import type { SubjectReport } from "../contract/document.ts";
import type { CellName } from "../contract/event.ts";
import type { CellResult, Verdict } from "../contract/result.ts";
import type { Pages, Store } from "../contract/store.ts";
import { collectPages } from "../shared/async/each-of.ts";
import type { Json } from "../shared/json/json.ts";
import { sampleResult, sampleSubject } from "./samples.ts";

/** A record that starts empty and is gone when the test ends. */
export interface StoreFixture extends AsyncDisposable {
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

export function cellName(position: number): CellName {
  return {
    key: `cell-${position}`,
    position,
    level: "unit",
    suite: "bench",
    subject: "skill",
    caseId: `task-${position}`,
    trial: 1,
  };
}

export function newResult(position: number, changes: Partial<CellResult> = {}): CellResult {
  const { key, subject, caseId, trial } = cellName(position);
  return sampleResult({ caseId, skillId: subject, trial, key, finishedAt: at(1), ...changes });
}

export function report(skillId: string, suite = "bench"): SubjectReport {
  return sampleSubject({ skillId, suite });
}

/** Ends a run as done in this minute. */
export function finish(
  store: Store,
  runId: string,
  minute: number,
  ...subjects: SubjectReport[]
): Promise<void> {
  return store.finishRun(runId, "done", subjects, at(minute));
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
  return store.cellEnded(runId, position, newResult(position, changes));
}

export async function openWithRuns(fixture: StoreFixture, ...ids: string[]): Promise<Store> {
  const store = await fixture.open();
  for (const id of ids) await store.createRun(newRun(id));
  return store;
}

export async function readKeys(pages: Pages<string>): Promise<string[]> {
  return (await collectPages(pages)).map((text) => (JSON.parse(text) as CellResult).key);
}

export function readReason(text: string): string {
  return (JSON.parse(text) as CellResult).reason ?? "";
}

export async function readStatus(store: Store, runId: string, position: number): Promise<Verdict> {
  return (JSON.parse((await store.result(runId, `cell-${position}`)) ?? "") as CellResult).status;
}

export async function hasVerdict(store: Store, runId: string, cellKey: string): Promise<boolean> {
  return (await collectPages(store.verdictKeys(runId))).includes(cellKey);
}
