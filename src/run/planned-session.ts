import { systemClock } from "../base/clock.ts";
import { openOrClose } from "../base/open-or-close.ts";
import type { Json } from "../contract/json.ts";
import type { Store, StoredRun } from "../contract/store.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { createRun, findRunToResume, resumeRun } from "./open-run.ts";
import type { StartedRun } from "./run-cells.ts";
import { closing, openKnownStore } from "./session.ts";
import { differences, type PlannedBy, plannedDifferently, refuseChanged } from "./stored-plan.ts";

/** A run of a command with everything it needs to go on. */
export interface PlannedSession<Plan, Ready> extends AsyncDisposable {
  run: StartedRun;
  plan: Plan;
  ready: Ready;
  store: Store;
}

export interface SessionPlace {
  storePath: string;
  version: string;
}

/** How the runs of one command are planned. */
export interface Planning<Plan, Ready, Around extends SessionPlace> {
  command: PlannedBy;
  /** Changes when a plan of before can no longer be carried out as it stands. */
  format: number;
  /** Checks everything that can be checked before the first cell. */
  prepare(plan: Plan, around: Around): Promise<Ready>;
  /** What a run is made of, in words that name what changed → hash. */
  identity(ready: Ready): Record<string, string>;
  /** What may be other than planned when a run goes on. */
  resumed(plan: Plan, around: Around): Plan;
}

export interface Sessions<Plan extends { asked: object }, Ready, Around extends SessionPlace> {
  /** Prepares a new run. The store is touched last, so that a mistake leaves nothing behind. */
  begin(plan: Plan, around: Around, lastCheck: () => void): Promise<PlannedSession<Plan, Ready>>;
  /** The run that would be resumed, and what was asked for around its cells when it began. */
  toResume(runId: string | null, storePath: string): Promise<{ runId: string; asked: Plan["asked"] }>;
  /** Takes up an old run as it was planned. */
  resume(runId: string, around: Around, lastCheck: () => void): Promise<PlannedSession<Plan, Ready>>;
}

/** The sessions of one command: new ones, and those that go on. */
export function plannedSessions<
  Plan extends { asked: object },
  Ready extends AsyncDisposable,
  Around extends SessionPlace,
>(planning: Planning<Plan, Ready, Around>): Sessions<Plan, Ready, Around> {
  const { command, format, prepare, identity } = planning;

  function planOf({ id, plan, toolVersion }: StoredRun): { options: Plan; identity: Record<string, string> } {
    if ((plan as { format?: unknown } | null)?.format === format)
      return plan as unknown as { options: Plan; identity: Record<string, string> };
    throw plannedDifferently(id, toolVersion);
  }

  return {
    async begin(plan, around, lastCheck) {
      const ready = await prepare(plan, around);
      return openOrClose(closing(ready), async () => {
        lastCheck();
        const store = await openSqliteStore(around.storePath);
        return openOrClose(closing(store), async () => {
          const stored = { command, format, options: plan, identity: identity(ready) };
          const world = { clock: systemClock, version: around.version };
          const run = await createRun(store, stored as unknown as Json, world);
          return session({ run, plan, ready, store });
        });
      });
    },
    async toResume(runId, storePath) {
      await using store = await openKnownStore(storePath);
      const stored = await findRunToResume(store, runId, storePath, command);
      return { runId: stored.id, asked: planOf(stored).options.asked };
    },
    async resume(runId, around, lastCheck) {
      const store = await openKnownStore(around.storePath);
      return openOrClose(closing(store), async () => {
        const stored = await findRunToResume(store, runId, around.storePath, command);
        const before = planOf(stored);
        const plan = planning.resumed(before.options, around);
        const ready = await prepare(plan, around);
        return openOrClose(closing(ready), async () => {
          refuseChanged(stored.id, differences(before.identity, identity(ready)));
          lastCheck();
          return session({ run: await resumeRun(store, stored), plan, ready, store });
        });
      });
    },
  };
}

function session<Plan, Ready extends AsyncDisposable>(
  parts: Omit<PlannedSession<Plan, Ready>, typeof Symbol.asyncDispose>,
): PlannedSession<Plan, Ready> {
  return {
    ...parts,
    async [Symbol.asyncDispose]() {
      await parts.ready[Symbol.asyncDispose]();
      await parts.store[Symbol.asyncDispose]();
    },
  };
}
