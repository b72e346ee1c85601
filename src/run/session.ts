import { existsSync } from "node:fs";
import { systemClock } from "../base/clock.ts";
import { openOrClose } from "../base/open-or-close.ts";
import type { Store } from "../contract/store.ts";
import { UserError } from "../contract/user-error.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { createRun, findRunToResume, resumeRun } from "./open-run.ts";
import { prepareRun, type ReadyRun } from "./preflight.ts";
import type { OutputWishes, PlanOptions } from "./request.ts";
import { refuseOtherJudges, resumedModels } from "./resumed-models.ts";
import type { OpenRun } from "./run-eval.ts";
import { readStoredPlan, refuseChanges, storedPlan } from "./stored-plan.ts";
import type { Surroundings } from "./surroundings.ts";

/** A run with everything it needs to go on: its place in the store, its plan, its ways to the skills. */
export interface Session extends AsyncDisposable {
  run: OpenRun;
  ready: ReadyRun;
  store: Store;
}

/**
 * Prepares a new run. The store is touched last, so that a mistake leaves nothing behind;
 * `lastCheck` is for what the caller can still refuse before that.
 */
export async function newSession(
  plan: PlanOptions,
  around: Surroundings,
  storePath: string,
  lastCheck: () => void = () => {},
): Promise<Session> {
  const ready = await prepareRun(plan, around);
  return openOrClose(closing(ready), async () => {
    lastCheck();
    const store = await openSqliteStore(storePath);
    return openOrClose(closing(store), async () => {
      const world = { clock: systemClock, version: around.version };
      const run = await createRun(store, storedPlan(plan, ready), world);
      return session({ ...run, plan }, ready, store);
    });
  });
}

/** The run that would be resumed, and what was asked for around its cells when it began. */
export async function runToResume(
  runId: string | null,
  storePath: string,
): Promise<{ runId: string; asked: OutputWishes }> {
  await using store = await openKnownStore(storePath);
  const stored = await findRunToResume(store, runId, storePath, "eval");
  return { runId: stored.id, asked: readStoredPlan(stored).options.asked ?? {} };
}

/** Takes up an old run as it was planned. */
export async function resumedSession(
  runId: string | null,
  around: Surroundings,
  storePath: string,
  lastCheck: () => void = () => {},
): Promise<Session> {
  const store = await openKnownStore(storePath);
  return openOrClose(closing(store), async () => {
    const stored = await findRunToResume(store, runId, storePath, "eval");
    const plan = readStoredPlan(stored);
    const exclude = [...new Set([...plan.exclude, ...around.exclude])];
    const planned = plan.options.models;
    const ready = await prepareRun(
      { ...plan.options, models: resumedModels(planned, around.models) },
      { ...around, exclude },
    );
    return openOrClose(closing(ready), async () => {
      if (ready.judges.length > 0) refuseOtherJudges(stored.id, planned, around.models);
      lastCheck();
      refuseChanges(stored.id, plan, ready);
      return session({ ...(await resumeRun(store, stored)), plan: plan.options }, ready, store);
    });
  });
}

/** A store that must be there. */
export async function openKnownStore(storePath: string): Promise<Store> {
  // A wrong path would leave an empty store behind.
  if (storePath !== "" && !existsSync(storePath)) {
    throw new UserError("nothing-to-do", `there is no store ${storePath}, so there is no run to resume`, {
      path: storePath,
      hint: "name the store of the run with --store",
    });
  }
  return openSqliteStore(storePath);
}

function session(run: OpenRun, ready: ReadyRun, store: Store): Session {
  return {
    run,
    ready,
    store,
    async [Symbol.asyncDispose]() {
      await ready[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  };
}

export function closing(opened: AsyncDisposable): () => PromiseLike<void> {
  return () => opened[Symbol.asyncDispose]();
}
