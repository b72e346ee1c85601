import { randomBytes } from "node:crypto";
import type { Store, StoredRun } from "../contract/store.ts";
import { type Clock, isoTime } from "../shared/async/clock.ts";
import type { Json } from "../shared/json/json.ts";
import { UserError } from "../shared/user-error.ts";
import type { StartedRun } from "./prepared-run.ts";
import { incompatiblePlan, planCommand, rescoredRun } from "./stored-plan.ts";

/** Adds a new run to the store. */
export async function createRun(
  store: Store,
  // Not redacted: it holds only what the user typed, and a redacted path could not be resumed.
  plan: Json,
  { clock, version, rescores }: { clock: Clock; version: string; rescores?: string },
): Promise<StartedRun> {
  const now = clock.now();
  const run = {
    id: newRunId(now),
    startedAt: isoTime(now),
    isResumed: false,
    wasDone: false,
    ...(rescores !== undefined && { rescores }),
  };
  await store.createRun({ id: run.id, startedAt: run.startedAt, toolVersion: version, plan });
  return run;
}

/** The run of this command that `--resume` refers to. */
export async function findRunToResume(
  store: Store,
  runId: string | null,
  storePath: string,
  command: string,
): Promise<StoredRun> {
  const found =
    runId === null
      ? await store.findResumable((run) => planCommand(run) === command && rescoredRun(run) === null)
      : await store.findRun(runId);
  if (found === null) {
    const what = runId === null ? "contains no run to resume" : `contains no run ${runId}`;
    throw new UserError("nothing-to-do", `the store ${storePath} ${what}`, { path: storePath });
  }
  const planner = planCommand(found);
  if (planner === command) return found;
  if (planner === null) throw incompatiblePlan(found.id, found.toolVersion);
  throw new UserError("usage", `run ${found.id} is a run of ${planner}`, {
    hint: `eval-skills ${planner} --resume ${found.id}`,
  });
}

/** Reopens a run. The caller has checked that nothing it depends on has changed. */
export async function resumeRun(store: Store, { id, startedAt, state }: StoredRun): Promise<StartedRun> {
  await store.reopenRun(id);
  return { id, startedAt, isResumed: true, wasDone: state === "done" };
}

/** A unique id that sorts by time: `20260301T072410Z-k3f9…`. */
function newRunId(nowMs: number): string {
  const time = new Date(nowMs).toISOString().replace(/[-:]/g, "").replace(/\.\d+/, "");
  const chance = BigInt(`0x${randomBytes(5).toString("hex")}`)
    .toString(36)
    .padStart(8, "0");
  return `${time}-${chance}`;
}
