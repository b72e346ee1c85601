import { type Clock, isoTime } from "../base/clock.ts";
import type { Store, StoredRun } from "../contract/store.ts";
import { UserError } from "../contract/user-error.ts";
import type { ReadyRun } from "./preflight.ts";
import type { PlanOptions } from "./request.ts";
import type { OpenRun } from "./run-eval.ts";
import { newRunId } from "./run-id.ts";
import { refuseChanges, type StoredPlan, storedPlan } from "./stored-plan.ts";

/** Gives a new run its place in the store. */
export async function createRun(
  store: Store,
  plan: PlanOptions,
  ready: ReadyRun,
  { clock, version }: { clock: Clock; version: string },
): Promise<OpenRun> {
  const now = clock.now();
  const run = { id: newRunId(now), startedAt: isoTime(now), isResumed: false, wasDone: false, plan };
  await store.createRun({
    id: run.id,
    startedAt: run.startedAt,
    toolVersion: version,
    // Not redacted: it holds what the user typed, nothing a skill said, and a path with a hole in it cannot be resumed.
    plan: storedPlan(plan, ready),
  });
  return run;
}

/** The run a `--resume` means. */
export async function findRunToResume(
  store: Store,
  runId: string | null,
  storePath: string,
): Promise<StoredRun> {
  const found = runId === null ? await store.findResumable() : await store.findRun(runId);
  if (found !== null) return found;
  const what = runId === null ? "holds no run that could be resumed" : `holds no run ${runId}`;
  throw new UserError("nothing-to-do", `the store ${storePath} ${what}`, { path: storePath });
}

/** Takes a run up again, if its skills, tasks and scorers are still what they were. */
export async function resumeRun(
  store: Store,
  { id, startedAt, state }: StoredRun,
  plan: StoredPlan,
  ready: ReadyRun,
): Promise<OpenRun> {
  refuseChanges(id, plan, ready);
  await store.reopenRun(id);
  return { id, startedAt, isResumed: true, wasDone: state === "done", plan: plan.options };
}
