import { relative } from "node:path";
import { refuseOtherJudges, resumedModels } from "../../engine/resumed-models.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { type Planning, type Session, sessionsFor } from "../../engine/session.ts";
import { shortDigest, shortHash } from "../../engine/stored-plan.ts";
import { triggerIdentity } from "../../levels/trigger/identity.ts";
import { digestFiles } from "../../skills/folder/digest.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import { prepareRun, type ReadyRun } from "./preflight.ts";
import type { ReadyUnitSuite } from "./prepare-unit.ts";
import type { PlanOptions } from "./request.ts";

/** A run of `eval` or `run` with everything it needs to go on. */
export type EvalSession = Session<PlanOptions, ReadyRun>;

export const evalPlanning: Planning<PlanOptions, ReadyRun, RunContext> = {
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
};

export const evalSessions = sessionsFor(evalPlanning);

/** Name of each input → hash. The part after `|` only affects how answers are scored. */
export function runIdentity(ready: ReadyRun): Record<string, string> {
  const identity = unitIdentity([ready]);
  // Skills were named above.
  for (const [name, hash] of Object.entries(ready.triggers === null ? {} : triggerIdentity(ready.triggers)))
    if (!name.startsWith("skill ")) identity[name] = hash;
  return identity;
}

/** The same of benchmarks alone. With several, a task is named with its own. */
export function unitIdentity(suites: readonly ReadyUnitSuite[]): Record<string, string> {
  const identity: Record<string, string> = {};
  const skills = new Set(suites.flatMap((suite) => suite.skills));
  const answerKeys = [...new Set(suites.flatMap((suite) => suite.answerKeys))];
  for (const loaded of skills) {
    const { id, digest } = loaded.skill;
    if (loaded.outside !== null)
      identity[`what ${id} names outside of its folder`] = shortDigest(loaded.outside);
    identity[`skill ${id}`] = `${shortDigest(runDigest(loaded, answerKeys))}|${shortDigest(digest)}`;
  }
  // The digest may exclude the file that configures the adapter.
  for (const { skill } of skills) identity[`the adapter config of ${skill.id}`] = shortHash(skill.adapter);
  for (const { benchmark, tasks } of suites) {
    const { tasks: _, ...head } = benchmark;
    const of = suites.length === 1 ? "" : ` of ${benchmark.id}`;
    identity[`benchmark ${benchmark.id}`] = `|${shortHash(head)}`;
    for (const { task, digest, scorerDigest } of tasks) {
      const { inputData, document = null, timeoutMs = null } = task;
      const judged = `${shortDigest(digest)}/${shortDigest(scorerDigest)}`;
      identity[`task ${task.id}${of}`] = `${shortHash({ inputData, document, timeoutMs })}|${judged}`;
    }
  }
  return identity;
}

/** The digest of the files a skill may see when it is called: its folder often contains tasks too. */
function runDigest({ skill, files }: LoadedSkill, answerKeys: readonly string[]): string {
  const hidden = new Set(answerKeys.map((path) => relative(skill.dir, path)));
  return digestFiles(files.filter(({ path }) => !hidden.has(path))).digest;
}
