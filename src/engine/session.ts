import { existsSync } from "node:fs";
import { type GrantedAsk, noPermissions } from "../contract/grant.ts";
import type { Store, StoredRun } from "../contract/store.ts";
import { systemClock } from "../shared/async/clock.ts";
import { openOrClose } from "../shared/async/open-or-close.ts";
import type { Json } from "../shared/json/json.ts";
import { UserError } from "../shared/user-error.ts";
import { openSqliteStore } from "../store/sqlite.ts";
import { type GrantContext, requireGranted } from "./granted.ts";
import { createRun, findRunToResume, resumeRun } from "./open-run.ts";
import type { StartedRun } from "./prepared-run.ts";
import { withStricter } from "./resumed-containment.ts";
import { differences, incompatiblePlan, refuseChanged, rescoredRun } from "./stored-plan.ts";

/** A run with everything it needs: its row in the store, its plan and its prepared suites. */
export interface Session<Plan, Ready> extends AsyncDisposable {
  run: StartedRun;
  plan: Plan;
  ready: Ready;
  store: Store;
  /** What files asked for and the user granted to this run. */
  granted: readonly GrantedAsk[];
  /** Disposes of this as well, when the session ends. */
  own(resource: Disposable): void;
}

export interface SessionContext extends GrantContext {
  /** The file of the store, absolute. */
  storePath: string;
  version: string;
  /** Never part of a skill's digest. A resumed run also leaves out what was left out when it began, wherever that is now. */
  exclude: readonly string[];
  /** Nothing will be executed, so no process is started and no model needs a key. */
  isDryRun?: boolean | undefined;
}

/** How the runs of one command are planned. */
export interface Planning<Plan, Ready, Context extends SessionContext> {
  command: string;
  /** Raised when stored plans can no longer be executed. */
  format: number;
  /** Checks everything that can be checked before the first cell. */
  prepare(plan: Plan, context: Context): Promise<Ready>;
  /**
   * Name of each input of a run → hash; the name is shown when it changed. The part of a hash after `|` only affects how
   * answers are scored: a run can be rescored where only that has changed.
   */
  identity(ready: Ready): Record<string, string>;
  /**
   * The plan of a run that is resumed: what would be planned now from what was typed then. Of the stored plan, which is a
   * file of the working tree, it takes only what gives nobody more than they have: no address, path, program or name of a secret.
   */
  resumed(planned: Plan, now: Plan, context: Context): Plan;
  /** The plan as it is stored: with what preparing found out, where that must not be found out again. */
  settle?(plan: Plan, ready: Ready): Plan;
  /** Refuses what the identity does not cover. */
  refuse?(runId: string, planned: Plan, ready: Ready, context: Context): void;
}

export interface Sessions<Plan extends { storedOptions: object }, Ready, Context extends SessionContext> {
  /**
   * Prepares a new run. The store is touched last, so that a mistake leaves nothing behind; `lastCheck` may still refuse, and
   * what it returns takes back what it made where the store cannot be used.
   */
  begin(plan: Plan, context: Context, lastCheck?: () => () => void): Promise<Session<Plan, Ready>>;
  /** The run that would be resumed, and how it was planned. */
  toResume(runId: string | null, storePath: string): Promise<{ runId: string; planned: Plan }>;
  /** Resumes a run with what would be planned now; the newest resumable one where no id is given. */
  resume(
    runId: string | null,
    now: Plan,
    context: Context,
    lastCheck?: () => void,
  ): Promise<Session<Plan, Ready>>;
  /** A new run over the stored answers of an old one. Expectations may have changed since, the executed parts may not. */
  rescore(runId: string, now: Plan, context: Context, lastCheck?: () => void): Promise<Session<Plan, Ready>>;
}

/** A plan in the store: how to prepare it again, and the hashes of its inputs. */
interface StoredPlan<Plan> {
  command: string;
  format: number;
  options: Plan;
  identity: Record<string, string>;
  exclude: readonly string[];
  granted: readonly GrantedAsk[];
  /** The run whose answers it rescored. */
  rescores?: string;
}

export function sessionsFor<
  Plan extends { storedOptions: object },
  Ready extends AsyncDisposable,
  Context extends SessionContext,
>(planning: Planning<Plan, Ready, Context>): Sessions<Plan, Ready, Context> {
  const { command, format, prepare, identity } = planning;

  function readPlan({ id, plan, toolVersion }: StoredRun): StoredPlan<Plan> {
    if ((plan as { format?: unknown } | null)?.format === format) return plan as unknown as StoredPlan<Plan>;
    throw incompatiblePlan(id, toolVersion);
  }

  async function newSession(
    store: Store,
    planned: Plan,
    ready: Ready,
    { exclude, version, permissions = noPermissions }: Context,
    rescores?: string,
  ): Promise<Session<Plan, Ready>> {
    const plan = planning.settle?.(planned, ready) ?? planned;
    const granted = permissions.granted();
    const source = rescores === undefined ? {} : { rescores };
    const parts = { command, format, options: plan, identity: identity(ready), exclude, granted };
    const stored: StoredPlan<Plan> = { ...parts, ...source };
    const facts = { clock: systemClock, version, ...source };
    const run = await createRun(store, stored as unknown as Json, facts);
    return session({ run, plan, ready, store, granted });
  }

  interface Prepared {
    plan: Plan;
    ready: Ready;
  }

  /** Prepares a stored run again, as it was planned. */
  async function reopen(
    action: "resumed" | "rescored",
    runId: string | null,
    { now, context, lastCheck }: { now: Plan; context: Context; lastCheck: (() => void) | undefined },
    start: (store: Store, stored: StoredRun, found: Prepared) => Promise<Session<Plan, Ready>>,
  ): Promise<Session<Plan, Ready>> {
    const store = await openKnownStore(context.storePath);
    return openOrClose(closing(store), async () => {
      const stored = await findRunToResume(store, runId, context.storePath, command);
      const before = readPlan(stored);
      if (action === "resumed") refuseRescored(stored.id, rescoredRun(stored));
      const exclude = [...new Set([...before.exclude, ...context.exclude])];
      const around = { ...context, exclude };
      const plan = withStricter(planning.resumed(before.options, now, around), before.options);
      const ready = await prepare(plan, around);
      return openOrClose(closing(ready), async () => {
        requireGranted([], context);
        planning.refuse?.(stored.id, before.options, ready, around);
        lastCheck?.();
        const relevant = action === "resumed" ? (all: Record<string, string>) => all : executionPart;
        refuseChanged(stored.id, differences(relevant(before.identity), relevant(identity(ready))), action);
        return start(store, stored, { plan, ready });
      });
    });
  }

  return {
    async begin(plan, context, lastCheck) {
      const ready = await prepare(plan, context);
      return openOrClose(closing(ready), async () => {
        requireGranted([], context);
        const takeBack = lastCheck?.() ?? (() => {});
        const store = await openOrClose(takeBack, () => openSqliteStore(context.storePath));
        return openOrClose(closing(store), () => newSession(store, plan, ready, context));
      });
    },
    async toResume(runId, storePath) {
      await using store = await openKnownStore(storePath);
      const stored = await findRunToResume(store, runId, storePath, command);
      return { runId: stored.id, planned: readPlan(stored).options };
    },
    resume: (runId, now, context, lastCheck) =>
      reopen("resumed", runId, { now, context, lastCheck }, async (store, stored, { plan, ready }) => {
        const { permissions = noPermissions } = context;
        const run = await resumeRun(store, stored);
        return session({ run, plan, ready, store, granted: permissions.granted() });
      }),
    rescore: (runId, now, context, lastCheck) =>
      reopen("rescored", runId, { now, context, lastCheck }, (store, stored, { plan, ready }) =>
        newSession(store, plan, ready, context, stored.id),
      ),
  };
}

/** A rescore executes nothing, so it cannot be resumed. */
function refuseRescored(runId: string, rescores: string | null): void {
  if (rescores === null) return;
  throw new UserError("usage", `run ${runId} is a rescore of run ${rescores} and cannot be resumed`, {
    hint: `score them again with --rescore ${rescores}`,
  });
}

function executionPart(identity: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(identity).map(([name, hash]) => [name, hash.split("|")[0] ?? hash]),
  );
}

/** Opens a store that must exist: a wrong path would create an empty one. */
async function openKnownStore(storePath: string): Promise<Store> {
  if (storePath !== "" && !existsSync(storePath)) {
    throw new UserError("nothing-to-do", `nothing to resume: store not found: ${storePath}`, {
      path: storePath,
      hint: "set the path with --store",
    });
  }
  return openSqliteStore(storePath);
}

function session<Plan, Ready extends AsyncDisposable>(
  parts: Pick<Session<Plan, Ready>, "run" | "plan" | "ready" | "store" | "granted">,
): Session<Plan, Ready> {
  const owned: Disposable[] = [];
  return {
    ...parts,
    own: (resource) => void owned.push(resource),
    async [Symbol.asyncDispose]() {
      for (const resource of owned) resource[Symbol.dispose]();
      await parts.ready[Symbol.asyncDispose]();
      await parts.store[Symbol.asyncDispose]();
    },
  };
}

export function closing(opened: AsyncDisposable): () => PromiseLike<void> {
  return () => opened[Symbol.asyncDispose]();
}
