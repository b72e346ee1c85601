import { type LoadedBenchCase, mockModelId } from "../../contract/planbench-file.ts";
import type { ConfiguredModels } from "../../engine/resumed-models.ts";
import { type Planning, type Session, type SessionContext, sessionsFor } from "../../engine/session.ts";
import { shortDigest, shortHash } from "../../engine/stored-plan.ts";
import type { Json } from "../../shared/json/json.ts";
import { benchParameters } from "./cells.ts";
import { type BenchContext, prepareBench, type ReadyBench } from "./prepare.ts";
import type { BenchPlan } from "./request.ts";

/** A run of `planbench` with everything it needs to go on. */
export type BenchSession = Session<BenchPlan, ReadyBench>;

export interface BenchSessionContext extends BenchContext, SessionContext {
  /** The models configured now, for a run that was planned before. */
  configuredModels?: ConfiguredModels | undefined;
}

export const benchPlanning: Planning<BenchPlan, ReadyBench, BenchSessionContext> = {
  command: "planbench",
  format: 4,
  prepare: prepareBench,
  identity: benchIdentity,
  resumed: (planned, now, { configuredModels }) => ({
    ...now,
    settings: settingsOfNow(planned, configuredModels),
  }),
};

export const benchSessions = sessionsFor(benchPlanning);

/** The models configured now count. If that changes the model, the run is refused. */
function settingsOfNow(
  { settings }: BenchPlan,
  configured: ConfiguredModels | undefined,
): BenchPlan["settings"] {
  return {
    llm: { ...settings.llm, ...configured?.llm },
    models: configured?.models ?? settings.models,
    prices: { ...settings.prices, ...configured?.prices },
  };
}

/** Keys of a bench that decide whether an output is valid, not how it is made. */
const contractKeys: readonly string[] = ["markers", "max_chars"];

/**
 * What a run is made of: names of what may have changed → hash, the widest first. After the `|` is what only decides
 * whether outputs are valid: rescoring checks them again.
 */
function benchIdentity(ready: ReadyBench): Record<string, string> {
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
  for (const { id, digest, loaded, chosen, target: caseTarget } of cases) {
    identity[`case ${id}`] = `${shortHash(caseRequest(loaded))}|${shortDigest(digest)}`;
    identity[`the skills of ${id}`] = shortHash(chosen.selected);
    if (isMock && caseTarget !== null) identity[`the replies of ${id}`] = shortHash(caseTarget.identity);
  }
  return identity;
}

/** What a case requests, and of whom. */
function caseRequest({ input, route, source, host, outputs, tool, arguments: given }: LoadedBenchCase): Json {
  return [input, route, source, host ?? null, outputs ?? null, tool ?? null, given ?? null];
}
