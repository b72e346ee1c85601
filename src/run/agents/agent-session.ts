import { canonicalJson, sha256 } from "../../base/canonical-json.ts";
import { systemClock } from "../../base/clock.ts";
import { openOrClose } from "../../base/open-or-close.ts";
import type { Json } from "../../contract/json.ts";
import type { Store, StoredRun } from "../../contract/store.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import { createRun, findRunToResume, resumeRun } from "../open-run.ts";
import { resumedModels, type SaidModels } from "../resumed-models.ts";
import type { StartedRun } from "../run-cells.ts";
import { closing, openKnownStore } from "../session.ts";
import { differences, plannedDifferently, refuseChanged } from "../stored-plan.ts";
import { subjectOf } from "./agent-cells.ts";
import type { AgentAsked, AgentPlan } from "./agent-request.ts";
import { type AgentSurroundings, prepareAgents, type ReadyAgents } from "./prepare-agents.ts";

/** A run of `agent eval` with everything it needs to go on. */
export interface AgentSession extends AsyncDisposable {
  run: StartedRun;
  plan: AgentPlan;
  ready: ReadyAgents;
  store: Store;
}

export interface SessionSurroundings extends AgentSurroundings {
  storePath: string;
  /** What is said about models now, for a run that was planned before. */
  said?: SaidModels | undefined;
}

interface StoredAgentPlan {
  command: "agent eval";
  format: typeof planFormat;
  options: AgentPlan;
  /** What the run was made of, in words → hash. */
  identity: Record<string, string>;
}

/** Changes when a plan of before can no longer be carried out as it stands. */
const planFormat = 1;

/** Prepares a new run. The store is touched last, so that a mistake leaves nothing behind. */
export async function newAgentSession(
  plan: AgentPlan,
  around: SessionSurroundings,
  lastCheck: () => void,
): Promise<AgentSession> {
  const ready = await prepareAgents(plan, around);
  return openOrClose(closing(ready), async () => {
    lastCheck();
    const store = await openSqliteStore(around.storePath);
    return openOrClose(closing(store), async () => {
      const identity = identityOf(ready);
      const stored: StoredAgentPlan = { command: "agent eval", format: planFormat, options: plan, identity };
      const world = { clock: systemClock, version: around.version };
      const run = await createRun(store, stored as unknown as Json, world);
      return session({ run, plan, ready, store });
    });
  });
}

/** The run that would be resumed, and what was asked for around its cells when it began. */
export async function agentRunToResume(
  runId: string | null,
  storePath: string,
): Promise<{ runId: string; asked: AgentAsked }> {
  await using store = await openKnownStore(storePath);
  const stored = await findRunToResume(store, runId, storePath, "agent eval");
  return { runId: stored.id, asked: storedPlan(stored).options.asked };
}

/** Takes up an old run as it was planned. */
export async function resumedAgentSession(
  runId: string,
  around: SessionSurroundings,
  lastCheck: () => void,
): Promise<AgentSession> {
  const store = await openKnownStore(around.storePath);
  return openOrClose(closing(store), async () => {
    const stored = await findRunToResume(store, runId, around.storePath, "agent eval");
    const { options, identity } = storedPlan(stored);
    const plan = { ...options, settings: resumedModels(options.settings, around.said) };
    const ready = await prepareAgents(plan, around);
    return openOrClose(closing(ready), async () => {
      refuseChanged(stored.id, differences(identity, identityOf(ready)));
      lastCheck();
      return session({ run: await resumeRun(store, stored), plan, ready, store });
    });
  });
}

/** What a run is made of, in words that name what changed. */
function identityOf({ jobs }: ReadyAgents): Record<string, string> {
  const identity: Record<string, string> = {};
  for (const job of jobs) {
    const { loaded, limits, policy } = job;
    const name = `${loaded.suite}/${loaded.case.id}`;
    identity[`case ${name}`] = short(loaded.digest);
    identity[`the skills of ${name}`] = hash(job.skills);
    identity[`the limits of ${name}`] = hash({ limits, policy });
    identity[`the model ${subjectOf(job)}`] = hash(job.identity);
  }
  return identity;
}

function hash(value: unknown): string {
  return short(sha256(canonicalJson(value)));
}

function short(digest: string): string {
  return digest.slice("sha256:".length, "sha256:".length + 16);
}

function storedPlan({ id, plan, toolVersion }: StoredRun): StoredAgentPlan {
  if ((plan as { format?: unknown } | null)?.format === planFormat) return plan as unknown as StoredAgentPlan;
  throw plannedDifferently(id, toolVersion);
}

function session(parts: Omit<AgentSession, typeof Symbol.asyncDispose>): AgentSession {
  return {
    ...parts,
    async [Symbol.asyncDispose]() {
      await parts.ready[Symbol.asyncDispose]();
      await parts.store[Symbol.asyncDispose]();
    },
  };
}
