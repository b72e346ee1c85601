import { type Clock, systemClock } from "../../base/clock.ts";
import { countOf } from "../../base/count-of.ts";
import { openOrClose } from "../../base/open-or-close.ts";
import { packageFolder } from "../../base/own-package.ts";
import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import type { ModelSurroundings } from "../../models/model-desk.ts";
import { loadBench } from "../../spec/planbench/load-bench.ts";
import { closing } from "../session.ts";
import { type BenchFacts, type BenchJob, benchJobs } from "./bench-cells.ts";
import type { BenchPlan } from "./bench-request.ts";
import { noSkills } from "./bench-skills.ts";
import { chooseSkills } from "./choose-bench-skills.ts";
import { executorIdentity } from "./executor-identity.ts";
import { type BenchProcesses, openProcesses } from "./open-processes.ts";
import { type OpenTarget, openTarget } from "./open-target.ts";
import { type OutputCheck, outputChecks } from "./output-check.ts";
import { selectBenchCases } from "./select-bench-cases.ts";

/** What a run of a bench finds around it, and no plan keeps. */
export interface BenchSurroundings {
  env: NodeJS.ProcessEnv;
  version: string;
  /** Where models get their keys, and whether their calls are recorded or replayed. */
  models: Pick<ModelSurroundings, "apiKey" | "record" | "replay">;
  /** Never part of a skill's digest, and shown to none: the store, reports. */
  exclude: readonly string[];
  /** The file of the store, absolute: vectors of the router are kept there. */
  storePath: string;
  /** Most samples at once. */
  concurrency: number;
  isDryRun?: boolean | undefined;
  clock?: Clock | undefined;
}

/** Everything was read, checked and planned, and no sample has begun. */
export interface ReadyBench extends BenchFacts, BenchProcesses {
  cases: readonly LoadedBenchCase[];
  jobs: readonly BenchJob[];
  target: OpenTarget;
  checkOf(one: LoadedBenchCase): OutputCheck;
  /** Values that nothing written may show. */
  secrets(): string[];
  warnings: string[];
}

/** Checks everything that can be checked before the first sample. */
export async function prepareBench(plan: BenchPlan, around: BenchSurroundings): Promise<ReadyBench> {
  const { cwd, envKeys } = plan;
  const { env, clock = systemClock } = around;
  const bundledDir = `${packageFolder()}/benchmarks/planbench`;
  const bench = await loadBench(plan.bench, { cwd, bundledDir });
  const cases = selectBenchCases(bench, plan);
  const checkOf = checksOf(bench, cases);
  const trusted = envKeys.flatMap((name) => env[name] ?? []);
  const target = await openTarget(bench, cases, plan, { ...around, trusted, clock });
  return openOrClose(closing(target), async () => {
    const warnings = [...bench.warnings, ...untoldSkills(cases, target)];
    const chosen = await chooseSkills(cases, { bench, plan, around, target, warnings });
    const facts: BenchFacts = {
      bench,
      samples: plan.samples ?? bench.file.samples,
      maxRepairs: plan.maxRepairs ?? bench.file.max_repairs,
      executorIdentity: executorIdentity(bench),
    };
    const jobs = benchJobs(
      cases.map((one) => ({
        case: one,
        chosen: chosen.get(one.id) ?? noSkills,
        target: one.source === "model" ? { id: target.id, identity: target.identityFor(one) } : null,
      })),
      facts,
    );
    const processes = await openProcesses(bench, [...chosen.values()], plan, { ...around, clock });
    return {
      ...facts,
      ...processes,
      cases,
      jobs,
      target,
      checkOf,
      secrets: () => [...trusted, ...target.secrets()],
      warnings,
      async [Symbol.asyncDispose]() {
        await processes[Symbol.asyncDispose]();
        await target[Symbol.asyncDispose]();
      },
    };
  });
}

/** A service is never told which skills a case forces: its table would claim more than was done. */
function untoldSkills(cases: readonly LoadedBenchCase[], { takesPrompts }: OpenTarget): string[] {
  const forced = cases.filter(({ stratum }) => stratum === "forced").length;
  if (takesPrompts || forced === 0) return [];
  return [`${countOf(forced, "case")} will be counted as forced, and the service chooses skills by itself`];
}

/** Compiled before the first sample: a schema that cannot be used is a mistake in the bench. */
function checksOf(bench: LoadedBench, cases: readonly LoadedBenchCase[]): ReadyBench["checkOf"] {
  const make = outputChecks(bench);
  const checks = new Map(cases.map((one) => [one.id, make(one)]));
  return ({ id }) => checks.get(id) as OutputCheck;
}
