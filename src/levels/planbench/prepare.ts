import { resolve } from "node:path";
import { ownFolders } from "../../config/project-rules.ts";
import type { RunInput } from "../../contract/level.ts";
import type { OutputContract, Violation } from "../../contract/output-contract.ts";
import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import type { WantsCase } from "../../engine/case-selection.ts";
import type { SharedProof } from "../../engine/containment/open-containment.ts";
import { type GrantContext, isClosed, onlyGranted } from "../../engine/granted.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import { inputPool } from "../../engine/run-inputs.ts";
import { closing } from "../../engine/session.ts";
import type { ModelContext } from "../../models/model-registry.ts";
import { callCap } from "../../models/model-registry.ts";
import { compileContract } from "../../scorers/output-contract.ts";
import { probeCases } from "../../scorers/probe-cases.ts";
import { type Clock, systemClock } from "../../shared/async/clock.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { packageFolder } from "../../shared/files/own-package.ts";
import { isFile } from "../../shared/files/paths.ts";
import { canonicalJson } from "../../shared/json/canonical-json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { redactor } from "../../shared/text/redact.ts";
import { UserError } from "../../shared/user-error.ts";
import { noSkills } from "./bench-skills.ts";
import { type BenchFacts, type PlannedBenchCase, plannedCase, usedSkills } from "./cells.ts";
import { chooseSkills } from "./choose-bench-skills.ts";
import { benchAsks } from "./files/bench-asks.ts";
import { loadBench } from "./files/load-bench.ts";
import { type BenchProcesses, executorIdentity, openProcesses } from "./open-processes.ts";
import { type OpenTarget, openTarget } from "./open-target.ts";
import type { BenchPlan } from "./request.ts";
import { asksForAll, selectBenchCases } from "./select-bench-cases.ts";
import { planbenchSuite } from "./suite.ts";

/** The environment of a run of a bench, which is not part of its plan. */
export interface BenchContext extends GrantContext, SharedProof {
  env: NodeJS.ProcessEnv;
  version: string;
  /** Where models get their keys, and whether their calls are recorded or replayed. */
  models: Pick<ModelContext, "apiKey" | "record" | "replay" | "concurrency" | "budget">;
  /** Never part of a skill's digest, and hidden from skills: the store, reports. */
  exclude: readonly string[];
  /** The file of the store, absolute: it caches vectors of the router. */
  storePath: string;
  /** Maximum number of samples in parallel. */
  concurrency: number;
  /** Whether reports hold the last output of every sample. */
  includePlan?: boolean | undefined;
  isDryRun?: boolean | undefined;
  /** Chooses among the cases. */
  wants?: WantsCase | undefined;
  clock?: Clock | undefined;
}

/** Everything was read, checked and planned, and no sample has begun. */
export interface ReadyBench extends PreparedRun, BenchFacts, BenchProcesses {
  cases: readonly PlannedBenchCase[];
  target: OpenTarget;
  /** What every sample rests on: the bench, its schema, the files of its executor. */
  inputs: readonly RunInput[];
  checkFor(one: LoadedBenchCase): OutputCheck;
}

/** Checks everything that can be checked before the first sample. */
export async function prepareBench(plan: BenchPlan, context: BenchContext): Promise<ReadyBench> {
  const { cwd, envKeys } = plan;
  const { env, clock = systemClock } = context;
  const bundledDir = `${packageFolder()}/benchmarks/planbench`;
  const bench = await loadBench(plan.bench, { cwd, bundledDir });
  const folders = ownFolders([bench.path], plan);
  onlyGranted([bench], (one) => benchAsks(one, { isClosed: isClosed(plan), folders }), context);
  const inputs = inputPool({ cwd, exclude: context.exclude }).files(benchFiles(bench));
  const selected = selectBenchCases(bench, plan, context.wants);
  const checkFor = compileChecks(bench, selected);
  const probed = await probeBench(bench, selected, checkFor, plan);
  const trusted = envKeys.flatMap((name) => env[name] ?? []);
  const target = await openTarget(bench, selected, plan, { ...context, trusted, clock });
  return openOrClose(closing(target), async () => {
    const warnings = [...bench.warnings, ...probed.warnings, ...forcedSkillWarnings(selected, target)];
    const chosen = await chooseSkills(selected, { bench, plan, context, target, warnings });
    const facts: BenchFacts = {
      bench,
      samples: plan.samples ?? bench.file.samples,
      maxRepairs: plan.maxRepairs ?? bench.file.max_repairs,
      executorIdentity: executorIdentity(bench),
    };
    const cases = selected.map((loaded) => {
      const caseTarget =
        loaded.source === "model" ? { id: target.id, identity: target.identityFor(loaded) } : null;
      return plannedCase({ loaded, chosen: chosen.get(loaded.id) ?? noSkills, target: caseTarget }, facts);
    });
    const secrets = [...trusted, ...target.secrets()];
    const processes = await openProcesses(bench, [...chosen.values()], plan, { ...context, clock });
    return readyBench(plan, context, {
      ...facts,
      ...processes,
      inputs,
      cases,
      target,
      checkFor,
      containment: processes.sandbox.containment,
      startsNothing: processes.isolation === null,
      secrets,
      redact: redactor(secrets),
      warnings,
      vacuous: probed.vacuous,
      seed: plan.seed,
      async [Symbol.asyncDispose]() {
        await processes[Symbol.asyncDispose]();
        await target[Symbol.asyncDispose]();
      },
    });
  });
}

/** Puts wrong plans to the check of every case. Where an executor decides as well, a schema may be loose. */
function probeBench(
  { file, path, executor }: LoadedBench,
  cases: readonly LoadedBenchCase[],
  checkFor: ReadyBench["checkFor"],
  { seed, allowVacuous }: BenchPlan,
) {
  const probed = executor !== null ? [] : cases;
  return probeCases(
    probed.map((one) => ({
      ...{ suite: file.id, id: one.id, file: path, jsonPath: "$" },
      probing: {
        member: ".schema",
        accepts: (answer) => checkFor(one)(JSON.stringify(answer)).length === 0,
        readsWrappers: true,
        advice: "add required members to the schema, or an executor",
      },
    })),
    { noun: "case", seed, allowVacuous },
  );
}

/** The files that decide about the samples of a bench. */
function benchFiles({ path, dir, schema, executor }: LoadedBench): string[] {
  const words = (executor ?? []).map((word) => resolve(dir, word));
  return [path, ...(schema.path === null ? [] : [schema.path]), ...words.filter(isFile)];
}

const maxNames = 50;

/** Adds what the engine needs for every run. */
function readyBench(
  plan: BenchPlan,
  { includePlan = false, models, wants }: BenchContext,
  opened: Omit<ReadyBench, "suites" | "skipped" | "skillIds" | "models" | "conditions" | "settings">,
): ReadyBench {
  const { bench, cases, target, samples, maxRepairs, isolation } = opened;
  const skills = usedSkills(cases);
  // Models as they identified themselves: known when all samples have ended.
  const answeredBy = new Set<string>();
  const onAnswer = (model: string) => void (answeredBy.size < maxNames && answeredBy.add(model));
  const isPartial = !asksForAll(plan) || wants !== undefined;
  const replaysModels = models.replay !== null && target.callsModel;
  const { name, digest } = bench.schema;
  return {
    ...opened,
    suites: (context) => [
      planbenchSuite({ ...opened, isPartial, replaysModels, includePlan, onAnswer }, context),
    ],
    skipped: [],
    skillIds: Object.keys(skills),
    models: [target.id],
    callCap: target.callsModel ? callCap(plan.settings, [target.id]) : null,
    conditions: () => ({
      model: target.id,
      [`model behind ${target.id}`]: [...answeredBy].sort().join(", ") || null,
      parameters: target.parameters === null ? null : canonicalJson(target.parameters),
      schema: digest,
      "limit of repairs": String(maxRepairs),
    }),
    settings: () => ({
      bench: bench.file.id,
      model: target.id,
      answeredBy: [...answeredBy].sort(),
      parameters: target.parameters,
      samples,
      maxRepairs,
      schema: { name, digest },
      skills,
      isolation,
      includePlan,
    }),
  };
}

/** A service does not know which skills a case forces, so its table would claim more than was done. */
function forcedSkillWarnings(cases: readonly LoadedBenchCase[], { takesPrompts }: OpenTarget): string[] {
  const forced = cases.filter(({ stratum }) => stratum === "forced").length;
  if (takesPrompts || forced === 0) return [];
  return [`${pluralize(forced, "case")} will be counted as forced, but the service chooses its own skills`];
}

/** Compiles all checks before the first sample: an unusable schema is an error in the bench. */
function compileChecks(bench: LoadedBench, cases: readonly LoadedBenchCase[]): ReadyBench["checkFor"] {
  const make = outputChecks(bench);
  const checks = new Map(cases.map((one) => [one.id, make(one)]));
  return ({ id }) => checks.get(id) as OutputCheck;
}

/** Says what of the output contract of a case does not hold. */
type OutputCheck = (output: string) => Violation[];

/** Makes the checks of a bench: the shared part is compiled once, overlays per case. */
export function outputChecks({ file, schema, shown }: LoadedBench): (one: LoadedBenchCase) => OutputCheck {
  const ready = (contract: OutputContract) => {
    const compiled = compileContract(contract);
    if (compiled.ok) return compiled.check;
    throw new UserError("benchmark-invalid", `${shown}: ${compiled.problem}`, { path: shown });
  };
  const general = ready({
    markers: file.markers,
    maxChars: file.max_chars ?? null,
    schemas: [schema],
  });
  return ({ id, overlay }) => {
    if (overlay === undefined) return general;
    const special = ready({
      markers: [],
      maxChars: null,
      schemas: [{ name: `overlay of ${id}`, schema: overlay }],
    });
    return (output) => distinct([...general(output), ...special(output)]);
  };
}

/** Both checks report output that is not JSON. */
function distinct(violations: readonly Violation[]): Violation[] {
  return [...new Map(violations.map((one) => [JSON.stringify([one.pointer, one.reason]), one])).values()];
}
