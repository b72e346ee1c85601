import { type LoadedBenchCase, mockModelId } from "../../contract/planbench-file.ts";
import type { ConfiguredModels } from "../../engine/resumed-models.ts";
import { type Session, type SessionContext, sessionsFor } from "../../engine/session.ts";
import { shortDigest, shortHash } from "../../engine/stored-plan.ts";
import type { Json } from "../../shared/json/json.ts";
import { benchParameters } from "./cells.ts";
import { type BenchContext, prepareBench, type ReadyBench } from "./prepare.ts";
import type { BenchPlan } from "./request.ts";

/** A run of `planbench` with everything it needs to go on. */
export type BenchSession = Session<BenchPlan, ReadyBench>;

export interface BenchSessionContext extends BenchContext, SessionContext {
  /** What is said about models now, for a run that was planned before. */
  said?: ConfiguredModels | undefined;
}

export const benchSessions = sessionsFor<BenchPlan, ReadyBench, BenchSessionContext>({
  command: "planbench",
  format: 2,
  prepare: prepareBench,
  identity: identityOf,
  resumed: (plan, { said }) => ({ ...plan, settings: settingsOfNow(plan, said) }),
});

/** What is said about models now counts: whoever has become another by that is noticed, and refused. */
function settingsOfNow({ settings }: BenchPlan, said: ConfiguredModels | undefined): BenchPlan["settings"] {
  return {
    llm: { ...settings.llm, ...said?.llm },
    models: { ...settings.models, ...said?.models },
    prices: { ...settings.prices, ...said?.prices },
  };
}

/** Keys of a bench that say what an output must be, and nothing about how it comes about. */
const contractKeys: readonly string[] = ["markers", "max_chars"];

/**
 * What a run is made of, in words that name what changed; the widest first. Behind a `|` stands what an output must be:
 * outputs are checked against it again where they are rescored.
 */
function identityOf(ready: ReadyBench): Record<string, string> {
  const { bench, cases, samples, target } = ready;
  const { executor, ...parameters } = benchParameters(ready);
  const isMock = target.id === mockModelId;
  const identity: Record<string, string> = {
    "the schema": `|${shortDigest(bench.schema.digest)}`,
    "the executor": shortHash(executor),
    "the model": shortHash([target.id, cases.find((one) => one.target !== null && !isMock)?.target ?? null]),
  };
  for (const [key, value] of Object.entries({ ...parameters, samples }))
    identity[`the key ${key}`] = `${contractKeys.includes(key) ? "|" : ""}${shortHash(value)}`;
  for (const { chosen } of cases)
    for (const [id, digest] of Object.entries(chosen.skills)) identity[`skill ${id}`] = shortDigest(digest);
  for (const { id, digest, loaded, chosen, target: asked } of cases) {
    identity[`case ${id}`] = `${shortHash(askedOf(loaded))}|${shortDigest(digest)}`;
    identity[`the skills of ${id}`] = shortHash(chosen.selected);
    if (isMock && asked !== null) identity[`the replies of ${id}`] = shortHash(asked.identity);
  }
  return identity;
}

/** What a case asks for, and of whom. */
function askedOf({ input, route, source, host, outputs, tool, arguments: given }: LoadedBenchCase): Json {
  return [input, route, source, host ?? null, outputs ?? null, tool ?? null, given ?? null];
}
