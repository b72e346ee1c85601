import { relative } from "node:path";
import { refuseOtherJudges, resumedModels } from "../../engine/resumed-models.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { type Session, sessionsFor } from "../../engine/session.ts";
import { shortDigest, shortHash } from "../../engine/stored-plan.ts";
import { triggerIdentity } from "../../levels/trigger/identity.ts";
import { digestFiles } from "../../skills/folder/digest.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import type { ReadyRun } from "./preflight.ts";
import { prepareRun } from "./preflight.ts";
import type { PlanOptions } from "./request.ts";

/** A run of `eval` or `run` with everything it needs to go on. */
export type EvalSession = Session<PlanOptions, ReadyRun>;

export const evalSessions = sessionsFor<PlanOptions, ReadyRun, RunContext>({
  command: "eval",
  format: 5,
  prepare: prepareRun,
  identity: runIdentity,
  resumed: (planned, now, { models }) => ({
    ...now,
    timeoutMs: planned.timeoutMs,
    models: resumedModels(planned.models, models),
  }),
  refuse(runId, planned, { judges }, { models }) {
    if (judges.length > 0) refuseOtherJudges(runId, planned.models, models);
  },
});

/** Name of each input → hash. The part after `|` only affects how answers are scored. */
export function runIdentity(ready: ReadyRun): Record<string, string> {
  const { skills, benchmark, tasks, triggers } = ready;
  const { tasks: _, ...head } = benchmark;
  const identity = new Map<string, string>();
  for (const loaded of skills) {
    const { id, digest } = loaded.skill;
    identity.set(`skill ${id}`, `${shortDigest(runDigest(loaded, ready.answerKeys))}|${shortDigest(digest)}`);
  }
  // The digest may exclude the file that configures the adapter.
  for (const { skill } of skills) identity.set(`the adapter config of ${skill.id}`, shortHash(skill.adapter));
  identity.set(`benchmark ${benchmark.id}`, `|${shortHash(head)}`);
  for (const { task, digest, scorerDigest } of tasks) {
    const { inputData, document = null, timeoutMs = null } = task;
    const judged = `${shortDigest(digest)}/${shortDigest(scorerDigest)}`;
    identity.set(`task ${task.id}`, `${shortHash({ inputData, document, timeoutMs })}|${judged}`);
  }
  // Skills were named above.
  for (const [name, hash] of Object.entries(triggers === null ? {} : triggerIdentity(triggers)))
    if (!name.startsWith("skill ")) identity.set(name, hash);
  return Object.fromEntries(identity);
}

/** The digest of the files a skill may see when it is called: its folder often contains tasks too. */
function runDigest({ skill, files }: LoadedSkill, answerKeys: readonly string[]): string {
  const hidden = new Set(answerKeys.map((path) => relative(skill.dir, path)));
  return digestFiles(files.filter(({ path }) => !hidden.has(path))).digest;
}
