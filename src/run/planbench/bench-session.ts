import { mockModelId } from "../../contract/planbench-file.ts";
import type { SaidModels } from "../resumed-models.ts";
import { type Session, type SessionContext, sessionsFor } from "../session.ts";
import { shortDigest, shortHash } from "../short-digest.ts";
import { parametersOf } from "./bench-cells.ts";
import type { BenchPlan } from "./bench-request.ts";
import { type BenchSurroundings, prepareBench, type ReadyBench } from "./prepare-bench.ts";

/** A run of `planbench` with everything it needs to go on. */
export type BenchSession = Session<BenchPlan, ReadyBench>;

export interface BenchSessionSurroundings extends BenchSurroundings, SessionContext {
  /** What is said about models now, for a run that was planned before. */
  said?: SaidModels | undefined;
}

export const benchSessions = sessionsFor<BenchPlan, ReadyBench, BenchSessionSurroundings>({
  command: "planbench",
  format: 1,
  prepare: prepareBench,
  identity: identityOf,
  resumed: (plan, { said }) => ({ ...plan, settings: settingsOfNow(plan, said) }),
});

/** What is said about models now counts: whoever has become another by that is noticed, and refused. */
function settingsOfNow({ settings }: BenchPlan, said: SaidModels | undefined): BenchPlan["settings"] {
  return {
    llm: { ...settings.llm, ...said?.llm },
    models: { ...settings.models, ...said?.models },
    prices: { ...settings.prices, ...said?.prices },
  };
}

/** What a run is made of, in words that name what changed; the widest first. */
function identityOf(ready: ReadyBench): Record<string, string> {
  const { bench, jobs, samples, target } = ready;
  const { executor, ...parameters } = parametersOf(ready);
  const isMock = target.id === mockModelId;
  const identity: Record<string, string> = {
    "the schema": shortDigest(bench.schema.digest),
    "the executor": shortHash(executor),
    "the model": shortHash([target.id, jobs.find((job) => job.target !== null && !isMock)?.target ?? null]),
  };
  for (const [key, value] of Object.entries({ ...parameters, samples }))
    identity[`the key ${key}`] = shortHash(value);
  for (const { chosen } of jobs)
    for (const [id, digest] of Object.entries(chosen.skills)) identity[`skill ${id}`] = shortDigest(digest);
  for (const { case: one, chosen, target: asked } of jobs) {
    identity[`case ${one.id}`] = shortDigest(one.digest);
    identity[`the skills of ${one.id}`] = shortHash(chosen.selected);
    if (isMock && asked !== null) identity[`the replies of ${one.id}`] = shortHash(asked.identity);
  }
  return identity;
}
