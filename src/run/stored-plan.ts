import { listed } from "../base/listed.ts";
import type { Json } from "../contract/json.ts";
import type { StoredRun } from "../contract/store.ts";
import { UserError } from "../contract/user-error.ts";
import type { ReadyRun } from "./preflight.ts";
import type { PlanOptions } from "./request.ts";
import { shortDigest, shortHash } from "./short-digest.ts";
import { triggerIdentity } from "./triggering/trigger-identity.ts";

/** What the store keeps of a plan: how to make it again, and what it was made of. */
export interface StoredPlan {
  format: typeof planFormat;
  options: PlanOptions;
  identity: PlanIdentity;
  /** What the digests of the skills left out: the store and the output folder of then, wherever those are now. */
  exclude: readonly string[];
}

interface PlanIdentity {
  skills: Record<string, string>;
  /** Skill id → how it is called: the digest may leave that file out. */
  adapters: Record<string, string>;
  /** Benchmark id → everything in it but the tasks. */
  benchmark: Record<string, string>;
  /** Task id → content and scorer, shortened: enough to name what changed. */
  tasks: Record<string, string>;
  /** What the triggering pass is made of; absent where there is none. */
  triggers?: Record<string, string>;
}

/** The command that planned a run, by which it is resumed. */
export type PlannedBy = "eval" | (typeof planners)[number];
/** Those that say so in their plans; the first one never did. */
const planners = ["trigger", "agent eval", "planbench"] as const;

export function commandOfPlan({ plan }: Pick<StoredRun, "plan">): PlannedBy {
  const command = (plan as { command?: unknown } | null)?.command;
  return planners.find((planner) => planner === command) ?? "eval";
}

/** Changes when a plan of before can no longer be carried out as it stands. */
const planFormat = 2;

/** A plan as the store keeps it. */
export function storedPlan(options: PlanOptions, ready: ReadyRun): Json {
  return {
    format: planFormat,
    options,
    identity: identityOf(ready),
    exclude: ready.exclude,
  } as unknown as Json;
}

/** The plan of a stored run, where this version can carry it out. */
export function readStoredPlan({ id, plan, toolVersion }: StoredRun): StoredPlan {
  if ((plan as { format?: unknown } | null)?.format === planFormat) return plan as unknown as StoredPlan;
  throw plannedDifferently(id, toolVersion);
}

/** The error of a run that this version cannot carry out. */
export function plannedDifferently(id: string, toolVersion: string): UserError {
  return new UserError(
    "usage",
    `run ${id} was planned by eval-skills ${toolVersion}, which planned differently`,
    { hint: "resume it with that version, or start a new run" },
  );
}

/** How many trials of each task a run was planned with, whichever version planned it; null where its plan does not say. */
export function plannedTrials({ plan }: Pick<StoredRun, "plan">): number | null {
  const runs = (plan as { options?: { runs?: unknown } } | null)?.options?.runs;
  return typeof runs === "number" ? runs : null;
}

/** Refuses to continue a run whose skills, tasks or scorers are no longer what they were, and names them. */
export function refuseChanges(runId: string, { identity }: StoredPlan, ready: ReadyRun): void {
  const now = identityOf(ready);
  const changed = [
    ...differences(identity.skills, now.skills).map((id) => `skill ${id}`),
    ...differences(identity.adapters, now.adapters).map((id) => `the adapter config of ${id}`),
    ...differences(identity.benchmark, now.benchmark).map((id) => `benchmark ${id}`),
    ...differences(identity.tasks, now.tasks).map((id) => `task ${id}`),
    ...differences(identity.triggers ?? {}, now.triggers ?? {}).filter(isNoSkill),
  ];
  refuseChanged(runId, changed);
}

/** Refuses to continue a run when something it was planned with has changed since. */
export function refuseChanged(runId: string, changed: readonly string[]): void {
  if (changed.length === 0) return;
  throw new UserError(
    "usage",
    `run ${runId} cannot be resumed: since then ${listed(changed, 5)} ${changed.length === 1 ? "has" : "have"} changed`,
    {
      hint: "start a new run, or bring the files back to what they were",
    },
  );
}

/** Skills are told of already. */
function isNoSkill(name: string): boolean {
  return !name.startsWith("skill ");
}

function identityOf({ skills, benchmark, tasks, triggers }: ReadyRun): PlanIdentity {
  const { tasks: _, ...head } = benchmark;
  return {
    skills: Object.fromEntries(skills.map(({ skill }) => [skill.id, skill.digest])),
    adapters: Object.fromEntries(skills.map(({ skill }) => [skill.id, shortHash(skill.adapter)])),
    benchmark: { [benchmark.id]: shortHash(head) },
    tasks: Object.fromEntries(
      tasks.map((task) => [task.task.id, `${shortDigest(task.digest)}/${shortDigest(task.scorerDigest)}`]),
    ),
    ...(triggers !== null && { triggers: triggerIdentity(triggers) }),
  };
}

/** The names under which two records differ. */
export function differences(before: Record<string, string>, now: Record<string, string>): string[] {
  const ids = new Set([...Object.keys(before), ...Object.keys(now)]);
  return [...ids].filter((id) => before[id] !== now[id]);
}
