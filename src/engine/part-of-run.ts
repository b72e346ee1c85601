import type { SuiteRun } from "../contract/level.ts";
import type { CellResult } from "../contract/result.ts";
import { failedOnly, reuseVerdicts } from "./earlier-results.ts";
import { shardSuite } from "./narrow-suite.ts";
import type { PreparedRun, StartedRun } from "./prepared-run.ts";
import type { RunOutput } from "./run-levels.ts";
import type { Session } from "./session.ts";

type PartOfRun = Pick<RunOutput, "shard" | "failed" | "reuse">;

/** The part of the cells that the user wants. */
export async function narrowSuites(
  suites: readonly SuiteRun[],
  { run, store }: Pick<Session<object, PreparedRun>, "run" | "store">,
  { shard = null, failed = false }: PartOfRun,
): Promise<{ suites: readonly SuiteRun[]; warning: string | null }> {
  const found = failed ? await failedOnly(suites, run.id, store) : { suites, warning: null };
  if (shard === null) return found;
  return { ...found, suites: found.suites.map((suite) => shardSuite(suite, shard)) };
}

/** Takes verdicts over before anything runs: the run is then one that has some results already. */
export async function reuseEarlier(
  suites: readonly SuiteRun[],
  { run, ready, store }: Pick<Session<object, PreparedRun>, "run" | "ready" | "store">,
  { reuse = null }: PartOfRun,
): Promise<StartedRun> {
  if (reuse === null || run.merged !== undefined || run.rescores !== undefined) return run;
  const facts = { runId: run.id, reuse, containment: ready.containment };
  const count = await reuseVerdicts(suites, facts, store);
  // Where nothing is left to run there is nothing to ask judges for either.
  return count === 0 ? run : { ...run, isResumed: true, wasDone: true, reused: count };
}

/** Counts what did not pass. What is there only to compare with may fail. */
export function stopAfter(limit: number | null): { add(result: CellResult): void; isReached(): boolean } {
  let count = 0;
  return {
    add({ status, arm }) {
      if (status !== "pass" && arm !== "absent") count++;
    },
    isReached: () => limit !== null && count >= limit,
  };
}
