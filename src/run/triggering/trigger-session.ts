import { existsSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { openOrClose } from "../../base/open-or-close.ts";
import type { Json } from "../../contract/json.ts";
import type { Store, StoredRun } from "../../contract/store.ts";
import { UserError } from "../../contract/user-error.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import { createRun, findRunToResume, resumeRun } from "../open-run.ts";
import { resumedModels, type SaidModels } from "../resumed-models.ts";
import type { StartedRun } from "../run-cells.ts";
import { closing, openKnownStore } from "../session.ts";
import { differences, plannedDifferently, refuseChanged } from "../stored-plan.ts";
import { type PassSurroundings, prepareTriggers, type ReadyTriggers } from "./prepare-triggers.ts";
import { triggerIdentity } from "./trigger-identity.ts";
import type { TriggerAsked, TriggerPlan } from "./trigger-request.ts";

/** A run of `trigger` with everything it needs to go on. */
export interface TriggerSession extends AsyncDisposable {
  run: StartedRun;
  plan: TriggerPlan;
  ready: ReadyTriggers;
  store: Store;
}

export interface TriggerSurroundings extends PassSurroundings {
  version: string;
  /** What is said about models now, for a run that was planned before. */
  said?: SaidModels | undefined;
}

interface StoredTriggerPlan {
  command: "trigger";
  format: typeof planFormat;
  options: TriggerPlan;
  /** What the run was made of, in words → hash. */
  identity: Record<string, string>;
}

/** Changes when a plan of before can no longer be carried out as it stands. */
const planFormat = 1;

/** Prepares a new run. The store is touched last, so that a mistake leaves nothing behind. */
export async function newTriggerSession(
  plan: TriggerPlan,
  around: TriggerSurroundings,
  lastCheck: () => void,
): Promise<TriggerSession> {
  const ready = await readyTriggers(plan, around);
  return openOrClose(closing(ready), async () => {
    lastCheck();
    const store = await openSqliteStore(around.storePath);
    return openOrClose(closing(store), async () => {
      const stored = {
        command: "trigger",
        format: planFormat,
        options: plan,
        identity: triggerIdentity(ready),
      };
      const world = { clock: systemClock, version: around.version };
      const run = await createRun(store, stored as unknown as Json, world);
      return session({ run, plan, ready, store });
    });
  });
}

/** The run that would be resumed, and what was asked for around its queries when it began. */
export async function triggerRunToResume(
  runId: string | null,
  storePath: string,
): Promise<{ runId: string; asked: TriggerAsked }> {
  await using store = await openKnownStore(storePath);
  const stored = await findRunToResume(store, runId, storePath, "trigger");
  return { runId: stored.id, asked: storedPlan(stored).options.asked };
}

/** Takes up an old run as it was planned. */
export async function resumedTriggerSession(
  runId: string,
  around: TriggerSurroundings,
  lastCheck: () => void,
): Promise<TriggerSession> {
  const store = await openKnownStore(around.storePath);
  return openOrClose(closing(store), async () => {
    const stored = await findRunToResume(store, runId, around.storePath, "trigger");
    const { options, identity } = storedPlan(stored);
    const plan = { ...options, models: resumedModels(options.models, around.said) };
    const ready = await readyTriggers(plan, around);
    return openOrClose(closing(ready), async () => {
      refuseChanged(stored.id, differences(identity, triggerIdentity(ready)));
      lastCheck();
      return session({ run: await resumeRun(store, stored), plan, ready, store });
    });
  });
}

/** A pass over nothing is a mistake. */
export async function readyTriggers(plan: TriggerPlan, around: TriggerSurroundings): Promise<ReadyTriggers> {
  const ready = await prepareTriggers(plan, around);
  const isEmpty = ready?.subjects.every(({ skipped }) => skipped !== null) ?? true;
  if (ready !== null && !(isEmpty && !plan.asked.requireTriggering)) return ready;
  const subjects = ready?.subjects ?? [];
  const reasons = subjects.map(({ skill, skipped }) => `${skill.id} (${skipped})`);
  await ready?.[Symbol.asyncDispose]();
  throw new UserError("nothing-to-do", `no skill has trigger tests: ${reasons.slice(0, 5).join(", ")}`, {
    hint: misnamedFile(subjects) ?? whereToAdd(subjects),
  });
}

function whereToAdd(subjects: ReadyTriggers["subjects"]): string {
  const [only, ...others] = subjects;
  const file = only !== undefined && others.length === 0 ? join(only.found.shown, "eval.yaml") : null;
  return `add a \`triggering\` block to ${file ?? "the eval.yaml of a skill"}, or name queries with --set`;
}

/** Other tools call their files `.yml`. */
function misnamedFile(subjects: ReadyTriggers["subjects"]): string | null {
  const other = subjects.find(({ found }) => existsSync(join(found.dir, "eval.yml")));
  if (other === undefined) return null;
  const file = join(other.found.shown, "eval.yml");
  return `${file} is not read: call it eval.yaml`;
}

function storedPlan({ id, plan, toolVersion }: StoredRun): StoredTriggerPlan {
  if ((plan as { format?: unknown } | null)?.format === planFormat)
    return plan as unknown as StoredTriggerPlan;
  throw plannedDifferently(id, toolVersion);
}

function session(parts: Omit<TriggerSession, typeof Symbol.asyncDispose>): TriggerSession {
  return {
    ...parts,
    async [Symbol.asyncDispose]() {
      await parts.ready[Symbol.asyncDispose]();
      await parts.store[Symbol.asyncDispose]();
    },
  };
}
