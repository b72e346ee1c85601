import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Benchmark, LoadedBenchmark } from "../../contract/benchmark.ts";
import type { ResolvedTask } from "../../contract/cell.ts";
import type { SuiteRun } from "../../contract/level.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import {
  beginProof,
  type Contained,
  hiddenPaths,
  openContainment,
} from "../../engine/containment/open-containment.ts";
import { uselessTimeout } from "../../engine/deadlines.ts";
import { requireGranted } from "../../engine/granted.ts";
import { type Judges, openJudges } from "../../engine/open-judges.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { fileInputs, skillInput } from "../../engine/run-inputs.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { bareBenchmarkId, findBenchmark } from "../../levels/unit/benchmark/find-benchmark.ts";
import { loadBenchmark } from "../../levels/unit/benchmark/load-benchmark.ts";
import { executionFor } from "../../levels/unit/execution.ts";
import { unitRows } from "../../levels/unit/options.ts";
import { probeTasks } from "../../levels/unit/probe-tasks.ts";
import { type UnitSubject, unitSuite } from "../../levels/unit/suite.ts";
import { isPassedThrough } from "../../sandbox/host/environment.ts";
import type { JudgeModel } from "../../scorers/llm-judge-ask.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { redactor } from "../../shared/text/redact.ts";
import { UserError } from "../../shared/user-error.ts";
import type { LoadedSkill } from "../../skills/targets/load-skills.ts";
import { type ChosenTasks, chooseTasks } from "./choose-tasks.ts";
import { loadGrantedSkills } from "./load-granted-skills.ts";
import { prepareTriggerSuite } from "./prepare-trigger-suite.ts";
import type { PlanOptions } from "./request.ts";
import { refuseUnreadDocument, resolveTasks } from "./resolve-tasks.ts";

/** A run of `eval` that is ready to start: everything is loaded and checked, and nothing has been called. */
export interface ReadyRun extends PreparedRun {
  skills: readonly LoadedSkill[];
  benchmark: Benchmark;
  tasks: readonly ResolvedTask[];
  /** Files that hold expectations and what scores them: no skill may see them, even in its own folder. */
  answerKeys: readonly string[];
  /** The tasks of the benchmark. */
  suite: SuiteRun<ResolvedTask, UnitSubject>;
  sandbox: Sandbox;
  /** The models that score some of the tasks, each once. */
  judges: readonly JudgeModel[];
  /** The trigger tests of these skills; null where none has any. */
  triggers: ReadyTriggers | null;
}

/**
 * Checks everything that can be checked before the first cell, in the order a user would fix it. Tasks that are
 * in no file are `given`; the benchmark options are then ignored.
 */
export async function prepareRun(
  options: PlanOptions,
  context: RunContext,
  given?: LoadedBenchmark,
): Promise<ReadyRun> {
  await using proof = beginProof(options, context);
  const loaded = await loadGrantedSkills(options, context);
  const found = given ?? loadNamedBenchmark(options, context.bundledDir);
  refuseTooFewTrials(found.benchmark, options.runs);
  const chosen =
    given === undefined
      ? chooseTasks(found, options, context)
      : { kept: given.benchmark.tasks, asks: [], skipped: [] };
  requireGranted([...loaded.asks, ...chosen.asks], context);
  const files = { skills: loaded.skills, found };
  const contained = await openContainment(options, context, proof, files);
  const { sandbox } = contained;
  const { env } = context;
  const secrets = collectSecrets(loaded.skills, options.envKeys, env);
  const judges = openJudges(options.models, {
    ...{ env, secrets, ...context.judges },
    reliance: context.reliance,
  });
  async function close() {
    await judges[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  }
  const checked = { loaded, found, chosen, given, contained, secrets, judges, close };
  return openOrClose(close, () => readyRun(options, context, checked));
}

interface Checked {
  loaded: Awaited<ReturnType<typeof loadGrantedSkills>>;
  found: LoadedBenchmark;
  /** The tasks to run, and those that are left out. */
  chosen: ChosenTasks;
  /** Set where the tasks are in no file; then no trigger suite is prepared. */
  given: LoadedBenchmark | undefined;
  contained: Contained;
  secrets: readonly string[];
  judges: Judges;
  close: () => Promise<void>;
}

/** The remaining checks, which need skills, tasks and a sandbox. */
async function readyRun(
  options: PlanOptions,
  context: RunContext,
  { loaded, found, chosen, given, contained, secrets, judges, close }: Checked,
): Promise<ReadyRun> {
  const { sandbox } = contained;
  const { benchmark } = found;
  const skills = loaded.skills.map(({ skill }) => skill);
  const execution = await executionFor(benchmark);
  const { modelFor } = judges;
  // Skills and scorers may find the same thing; it is reported once.
  const collected = new Set<string>();
  const warn = (warning: string) => void collected.add(warning);
  const adapters = skills.map(({ adapter }) => adapter.type);
  const tasks = await resolveTasks(found, chosen.kept, options.evaluator, async (request) => {
    refuseUnreadDocument(request, adapters);
    return execution.prepareScorer({ ...request, adapters, sandbox, modelFor, warn });
  });
  const probed = await probeTasks(tasks, found, { seed: options.seed, allowVacuous: options.allowVacuous });
  const opened = await execution.open({
    skills: loaded.skills,
    tasks,
    benchmarkPath: found.path,
    context: { ...context, ...options, sandbox, warn },
  });
  const triggers = await openOrClose(
    () => opened[Symbol.asyncDispose](),
    async () => (given === undefined ? prepareTriggerSuite(options, skills, context) : null),
  );
  const timing = { timeoutMs: options.timeoutMs, isTyped: options.isTimeoutTyped };
  const useless = uselessTimeout(skills, tasks, timing);
  const { seed, cases, taskTags } = options;
  const suite = unitSuite({
    skills,
    inputs: unitInputs(loaded.skills, given === undefined ? found.path : null, options.cwd),
    benchmark,
    benchmarkPath: found.path,
    tasks,
    opened,
    trials: options.runs,
    retries: options.retries,
    timing,
    seed,
    isPartial: cases.length > 0 || taskTags.length > 0 || chosen.skipped.length > 0,
    isBundled: dirname(found.path) === context.bundledDir,
  });
  const { containment } = sandbox;
  return {
    skills: loaded.skills,
    benchmark,
    tasks,
    answerKeys: hiddenPaths(found, []),
    suite,
    suites: (suiteContext) => (triggers === null ? [suite] : [suite, ...triggers.suites(suiteContext)]),
    sandbox,
    containment,
    judges: judges.all(),
    triggers,
    redact: redactor([...secrets, ...judges.secrets(), ...(triggers?.judges.secrets() ?? [])]),
    warnings: [
      ...loaded.warnings,
      ...found.warnings,
      ...contained.warnings,
      ...collected,
      ...probed.warnings,
      ...(useless === null ? [] : [useless]),
      ...opened.warnings,
      ...(triggers?.warnings ?? []),
    ],
    notLoaded: loaded.notLoaded,
    skipped: [...loaded.skipped, ...chosen.skipped, ...(triggers?.skipped ?? [])],
    vacuous: probed.vacuous,
    seed,
    skillIds: skills.map(({ id }) => id),
    models: [...new Set([...judges.all().map(({ model }) => model.id), ...(triggers?.models ?? [])])],
    conditions: () => ({ deadline: `${options.timeoutMs} ms`, ...triggers?.conditions() }),
    settings: () => ({
      runs: options.runs,
      retries: options.retries,
      timeoutMs: options.timeoutMs,
      evaluator: options.evaluator,
      ...triggers?.settings(),
    }),
    askCanaries: async (signal) => {
      const asked = [judges, triggers?.judges].map((some) => some?.askCanaries(signal));
      return new Map((await Promise.all(asked)).flatMap((figures) => [...(figures ?? [])]));
    },
    abandon: () => sandbox[Symbol.asyncDispose](),
    async [Symbol.asyncDispose]() {
      await triggers?.[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
      await close();
    },
  };
}

function refuseTooFewTrials({ id, scoringMethod, k }: Benchmark, runs: number): void {
  if (scoringMethod !== "pass_at_k" || k <= runs) return;
  throw new UserError("usage", `benchmark ${id} scores pass@${k}, which needs --runs ${k}`);
}

function loadNamedBenchmark({ benchmark, tasks, benchmarksDir, cwd }: PlanOptions, bundledDir: string) {
  if (tasks !== null) {
    const { path } = findBenchmark(resolve(cwd, tasks), { cwd, bundledDir, userDirs: [] });
    return loadBenchmark(path, bareBenchmarkId(path, cwd));
  }
  const { default: defaultDir } = unitRows.benchmarksDir;
  const userDirs = [...new Set([benchmarksDir, defaultDir])];
  if (benchmarksDir !== defaultDir && !existsSync(resolve(cwd, benchmarksDir))) {
    throw new UserError("benchmark-not-found", `benchmarks folder not found: ${benchmarksDir}`, {
      path: benchmarksDir,
      hint: "set the folder with --benchmarks-dir",
    });
  }
  const { path, warnings } = findBenchmark(benchmark ?? unitRows.benchmark.default, {
    cwd,
    bundledDir,
    userDirs,
  });
  const loaded = loadBenchmark(path, bareBenchmarkId(path, cwd));
  return { ...loaded, warnings: [...warnings, ...loaded.warnings] };
}

/** What the cells of each skill rest on: its files, and the file of the tasks where there is one. */
function unitInputs(skills: readonly LoadedSkill[], benchmarkPath: string | null, cwd: string) {
  const files = fileInputs((path) => nearPath(path, cwd))(benchmarkPath === null ? [] : [benchmarkPath]);
  return new Map(skills.map(({ skill: { id }, watch }) => [id, [skillInput(id, watch), ...files]]));
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
