import { dirname } from "node:path";
import type { Benchmark, LoadedBenchmark } from "../../contract/benchmark.ts";
import type { ResolvedTask } from "../../contract/cell.ts";
import type { SkippedReport } from "../../contract/document.ts";
import type { RunInput, SuiteRun } from "../../contract/level.ts";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { Task } from "../../contract/task.ts";
import { type EarlyProof, hiddenPaths, openContainment } from "../../engine/containment/open-containment.ts";
import { uselessTimeout } from "../../engine/deadlines.ts";
import { type Judges, openJudges } from "../../engine/open-judges.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import { openPrograms } from "../../engine/programs/open-programs.ts";
import { programFiles, programsDigest } from "../../engine/programs/program-files.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { fileInputs, skillInput } from "../../engine/run-inputs.ts";
import { unlessNoModel } from "../../engine/without-model.ts";
import { executionFor } from "../../levels/unit/execution.ts";
import { unitLevel } from "../../levels/unit/level.ts";
import { probeTasks } from "../../levels/unit/probe-tasks.ts";
import { type UnitSubject, unitSuite } from "../../levels/unit/suite.ts";
import { isPassedThrough } from "../../sandbox/host/environment.ts";
import type { JudgeModel } from "../../scorers/llm-judge-ask.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { redactor } from "../../shared/text/redact.ts";
import { UserError } from "../../shared/user-error.ts";
import { notUsable } from "../../skills/not-loaded.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import type { PlanOptions } from "./request.ts";
import { refuseUnreadDocument, resolveTasks } from "./resolve-tasks.ts";

/** Tasks of a benchmark, and the skills they are put to. */
export interface UnitPairing {
  skills: readonly LoadedSkill[];
  found: LoadedBenchmark;
  /** The tasks to run. */
  chosen: readonly Task[];
  /** Whether the tasks are in a file that must not change. */
  isFile: boolean;
  isPartial: boolean;
}

/** What was found out while the files of a run were read. */
export interface UnitFindings {
  warnings: readonly string[];
  notLoaded: readonly NotLoaded[];
  skipped: readonly SkippedReport[];
}

/** A benchmark that is ready to start. */
export interface ReadyUnitSuite {
  skills: readonly LoadedSkill[];
  benchmark: Benchmark;
  tasks: readonly ResolvedTask[];
  /** Files that hold expectations and what scores them: no skill may see them, even in its own folder. */
  answerKeys: readonly string[];
  suite: SuiteRun<ResolvedTask, UnitSubject>;
}

/** Benchmarks that are ready to start in one sandbox: everything is loaded and checked, and nothing has been called. */
export interface ReadyUnit extends PreparedRun {
  unitSuites: readonly ReadyUnitSuite[];
  sandbox: Sandbox;
  /** The models that score some of the tasks, each once. */
  judges: readonly JudgeModel[];
}

/** Opens one sandbox and one set of judges for all pairings, and checks the rest of what can be checked before the first cell. */
export async function prepareUnit(
  pairings: readonly UnitPairing[],
  findings: UnitFindings,
  options: PlanOptions,
  context: RunContext,
  proof: EarlyProof,
): Promise<ReadyUnit> {
  for (const { found } of pairings) refuseTooFewTrials(found.benchmark, options.runs);
  const skills = [...new Set(pairings.flatMap((pairing) => pairing.skills))];
  const benchmarks = [...new Set(pairings.map(({ found }) => found))];
  const contained = await openContainment(options, context, proof, { skills, benchmarks });
  const { sandbox } = contained;
  const { env, reliance } = context;
  const secrets = collectSecrets(skills, options.envKeys, env);
  const judges = openJudges(options.models, { env, secrets, ...context.judges, reliance });
  const open: AsyncDisposable[] = [sandbox, judges];
  const close = async () => {
    for (const one of open.toReversed()) await one[Symbol.asyncDispose]();
  };
  return openOrClose(close, async () => {
    const collected = new Set<string>();
    const warn = (warning: string) => void collected.add(warning);
    const inputs = unitInputs(options.cwd);
    const opened: Awaited<ReturnType<typeof openSuite>>[] = [];
    for (const pairing of pairings) {
      const shared = { options, context, sandbox, judges, inputs, warn };
      const one = await openSuite(pairing, shared, (execution) => open.push(execution));
      opened.push(one);
    }
    const timing = { timeoutMs: options.timeoutMs, isTyped: options.isTimeoutTyped };
    const suites = opened.flatMap(({ ready }) => ready ?? []);
    const useless = suites.map(({ skills: own, tasks }) =>
      uselessTimeout(
        own.map(({ skill }) => skill),
        tasks,
        timing,
      ),
    );
    const all = [...secrets, ...judges.secrets()];
    const models = judges.all().map(({ model }) => model.id);
    return {
      unitSuites: suites,
      sandbox,
      judges: judges.all(),
      suites: () => suites.map(({ suite }) => suite),
      containment: sandbox.containment,
      secrets: all,
      redact: redactor(all),
      warnings: [
        ...findings.warnings,
        ...pairings.flatMap(({ found }) => found.warnings),
        ...contained.warnings,
        ...collected,
        ...opened.flatMap(({ warnings }) => warnings),
        ...(useless.every((one) => one !== null) ? useless.slice(0, 1) : []),
      ],
      notLoaded: [...findings.notLoaded, ...opened.flatMap(({ notLoaded }) => notLoaded)],
      skipped: [...findings.skipped, ...opened.flatMap(({ skipped }) => skipped)],
      vacuous: opened.flatMap(({ vacuous }) => vacuous),
      seed: options.seed,
      skillIds: skills.map(({ skill }) => skill.id),
      models: [...new Set(models)],
      conditions: () => ({ deadline: `${options.timeoutMs} ms` }),
      settings: () => ({
        runs: options.runs,
        retries: options.retries,
        timeoutMs: options.timeoutMs,
        evaluator: options.evaluator,
      }),
      askCanaries: judges.askCanaries,
      async finish() {
        const left = await Promise.all(opened.map(async ({ programs }) => (await programs?.finish()) ?? []));
        return left.flat();
      },
      abandon: () => sandbox[Symbol.asyncDispose](),
      [Symbol.asyncDispose]: close,
    };
  });
}

/** What all suites of a run share. */
interface SharedParts {
  options: PlanOptions;
  context: RunContext;
  sandbox: Sandbox;
  judges: Judges;
  inputs: ReturnType<typeof unitInputs>;
  warn: (warning: string) => void;
}

/** Prepares the scorers and the adapters of one pairing. Without a task that can be scored there is no suite. */
async function openSuite(
  { skills: loaded, found, chosen, isFile, isPartial }: UnitPairing,
  { options, context, sandbox, judges, inputs, warn }: SharedParts,
  own: (execution: AsyncDisposable) => void,
) {
  const { benchmark } = found;
  const skills = loaded.map(({ skill }) => skill);
  const execution = await executionFor(benchmark);
  const { modelFor } = judges;
  const adapters = skills.map(({ adapter }) => adapter.type);
  const { tasks, unscored } = await resolveTasks(found, chosen, options.evaluator, async (request) => {
    refuseUnreadDocument(request, adapters);
    const preparing = () => execution.prepareScorer({ ...request, adapters, sandbox, modelFor, warn });
    return context.leavesUnusableOut === true ? unlessNoModel(preparing) : preparing();
  });
  const skipped = unscored.map((caseId) => ({
    level: unitLevel.name,
    suite: benchmark.id,
    skillId: null,
    caseId,
    reason: "no-model",
  }));
  const nothing = { ready: null, warnings: [], vacuous: [], skipped, notLoaded: [], programs: null };
  if (tasks.length === 0) return nothing;
  const { seed, allowVacuous } = options;
  const programs = await openPrograms(benchmark, { file: found.path, sandbox, env: context.env });
  if (programs !== null) own(programs);
  const probed = await probeTasks(tasks, found, { seed, allowVacuous });
  const opening = execution.open({
    skills: loaded,
    tasks,
    benchmarkPath: found.path,
    context: { ...context, ...options, sandbox, warn },
    programs,
    services: Object.keys(benchmark.services ?? {}),
  });
  const opened = await opening.catch((error: unknown) => {
    if (context.leavesUnusableOut !== true || !(error instanceof UserError)) throw error;
    return error;
  });
  if (opened instanceof UserError)
    return { ...nothing, notLoaded: skills.map(({ dir }) => notUsable(nearPath(dir, options.cwd), opened)) };
  own(opened);
  const files = isFile ? [found.path, ...programFiles(benchmark, found.path).map(({ file }) => file)] : [];
  const suite = unitSuite({
    skills,
    outside: new Map(loaded.map(({ skill, outside }) => [skill.id, outside])),
    inputs: new Map(loaded.map((one) => [one.skill.id, inputs(one, files)])),
    benchmark,
    benchmarkPath: found.path,
    tasks,
    opened,
    programsDigest: programsDigest(benchmark, found.path),
    trials: options.runs,
    retries: options.retries,
    timing: { timeoutMs: options.timeoutMs, isTyped: options.isTimeoutTyped },
    seed,
    isPartial: isPartial || skipped.length > 0,
    isBundled: dirname(found.path) === context.bundledDir,
  });
  return {
    ready: { skills: loaded, benchmark, tasks, answerKeys: hiddenPaths(found), suite },
    warnings: [...probed.warnings, ...opened.warnings],
    vacuous: probed.vacuous,
    skipped,
    notLoaded: [],
    programs,
  };
}

function refuseTooFewTrials({ id, scoringMethod, k }: Benchmark, runs: number): void {
  if (scoringMethod !== "pass_at_k" || k <= runs) return;
  throw new UserError("usage", `benchmark ${id} scores pass@${k}, which needs --runs ${k}`);
}

/** What the cells of a skill rest on: its own files, and those of the suite. The same value for the same thing. */
function unitInputs(cwd: string) {
  const filesOf = fileInputs((path) => nearPath(path, cwd));
  const bySkill = new Map<LoadedSkill, RunInput>();
  const byFiles = new Map<string, readonly RunInput[]>();
  return (loaded: LoadedSkill, suiteFiles: readonly string[]): readonly RunInput[] => {
    const input = bySkill.get(loaded) ?? skillInput(loaded.skill.id, loaded.watch);
    bySkill.set(loaded, input);
    const key = suiteFiles.join("\n");
    const files = byFiles.get(key) ?? filesOf(suiteFiles);
    byFiles.set(key, files);
    return [input, ...files];
  };
}

/** Values that only skills may see. */
function collectSecrets(
  skills: readonly LoadedSkill[],
  envKeys: readonly string[],
  env: NodeJS.ProcessEnv,
): string[] {
  const keys = skills.flatMap(({ skill: { adapter } }) => {
    const token = "authTokenEnvKey" in adapter.config ? adapter.config.authTokenEnvKey : undefined;
    return [...adapter.config.envKeys, ...(token === undefined ? [] : [token])];
  });
  return [...keys, ...envKeys].filter((key) => !isPassedThrough(key)).flatMap((key) => env[key] ?? []);
}
