import type { ReadyRun } from "./preflight.ts";
import { prepareRun } from "./preflight.ts";
import type { PlanOptions } from "./request.ts";
import { refuseOtherJudges, resumedModels } from "./resumed-models.ts";
import { type Session, sessionsFor } from "./session.ts";
import { shortDigest, shortHash } from "./short-digest.ts";
import type { Surroundings } from "./surroundings.ts";
import { triggerIdentity } from "./triggering/trigger-identity.ts";

/** A run of `eval` or `run` with everything it needs to go on. */
export type EvalSession = Session<PlanOptions, ReadyRun>;

export const evalSessions = sessionsFor<PlanOptions, ReadyRun, Surroundings>({
  command: "eval",
  format: 3,
  prepare: prepareRun,
  identity: identityOf,
  resumed: (plan, { models }) => ({ ...plan, models: resumedModels(plan.models, models) }),
  refuse(runId, planned, { judges }, { models }) {
    if (judges.length > 0) refuseOtherJudges(runId, planned.models, models);
  },
});

/** What a run is made of, in words that name what changed. */
export function identityOf({ skills, benchmark, tasks, triggers }: ReadyRun): Record<string, string> {
  const { tasks: _, ...head } = benchmark;
  const identity = new Map<string, string>();
  for (const { skill } of skills) identity.set(`skill ${skill.id}`, shortDigest(skill.digest));
  // The digest may leave the file out that says how a skill is called.
  for (const { skill } of skills) identity.set(`the adapter config of ${skill.id}`, shortHash(skill.adapter));
  identity.set(`benchmark ${benchmark.id}`, shortHash(head));
  for (const { task, digest, scorerDigest } of tasks)
    identity.set(`task ${task.id}`, `${shortDigest(digest)}/${shortDigest(scorerDigest)}`);
  // Skills were named above.
  for (const [name, hash] of Object.entries(triggers === null ? {} : triggerIdentity(triggers)))
    if (!name.startsWith("skill ")) identity.set(name, hash);
  return Object.fromEntries(identity);
}
