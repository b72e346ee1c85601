import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { canonicalJson, sha256 } from "../base/canonical-json.ts";
import { redactor } from "../base/redact.ts";
import type { Benchmark } from "../contract/benchmark.ts";
import type { Cell, ResolvedTask } from "../contract/cell.ts";
import type { Model } from "../contract/model.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { Scorer } from "../contract/scorer.ts";
import { UserError } from "../contract/user-error.ts";
import { type ModelSurroundings, modelDesk } from "../models/model-desk.ts";
import { deadlineOf, uselessTimeout } from "../plan/deadlines.ts";
import { planCells, scorerDigest } from "../plan/plan-cells.ts";
import { chooseLevel } from "../sandbox/choose-level.ts";
import { isPassedThrough } from "../sandbox/environment.ts";
import { openSandbox } from "../sandbox/open-sandbox.ts";
import type { ScorerRequest } from "../scorers/choose-scorer.ts";
import { type LoadedSkill, loadSkills } from "../skills/load-skills.ts";
import { findBenchmark } from "../spec/find-benchmark.ts";
import { type LoadedBenchmark, loadBenchmark, selectTasks } from "../spec/load-benchmark.ts";
import { readDocument } from "../spec/read-document.ts";
import type { OutputCheck } from "./cell-result.ts";
import { type Execute, executionFor } from "./execution.ts";
import { type PlanOptions, usualBenchmarksDir } from "./request.ts";
import type { SaidModels } from "./resumed-models.ts";

export interface Surroundings {
  env: NodeJS.ProcessEnv;
  version: string;
  bundledDir: string;
  concurrency: number;
  /** Where judges get their keys, and whether their calls are recorded or replayed. */
  judges: Omit<ModelSurroundings, "env" | "secrets">;
  /** What is said about models now, for a run that was planned before. */
  models?: SaidModels;
  /** The store and the report folder: never part of a skill's digest. */
  exclude: readonly string[];
}

/** A model and how it is asked. */
export interface JudgeModel {
  model: Model;
  temperature: number;
}

/** A run that could start: everything was loaded, checked and counted, and nothing has been called. */
export interface ReadyRun extends AsyncDisposable {
  skills: readonly LoadedSkill[];
  benchmark: Benchmark;
  /** The file the tasks stand in. */
  benchmarkPath: string;
  tasks: readonly ResolvedTask[];
  plan: Iterable<Cell> & { size: number };
  sandbox: Sandbox;
  execute: Execute;
  checkOutput: OutputCheck;
  redact: <Value>(value: Value) => Value;
  /** The models that score some of the tasks, each once. */
  judges: readonly JudgeModel[];
  warnings: string[];
  /** Paths that the digests of the skills left out. */
  exclude: readonly string[];
}

/**
 * Checks everything that can be checked before the first cell, in the order a user would mend it. Tasks that stand in
 * no file are `given`; what the options say about benchmarks then does not count.
 */
export async function prepareRun(
  options: PlanOptions,
  surroundings: Surroundings,
  given?: LoadedBenchmark,
): Promise<ReadyRun> {
  const level = chooseLevel({ ...options, level: options.sandbox });
  const loaded = await loadSkills(options.skills, {
    cwd: options.cwd,
    exclude: surroundings.exclude,
    readDocument,
  });
  const skills = loaded.skills.map(({ skill }) => skill);
  if (skills.length === 0) {
    throw new UserError("nothing-to-do", "no skill was named", {
      hint: "name skills with --skills <paths...>",
    });
  }
  const found = given ?? loadNamedBenchmark(options, surroundings.bundledDir);
  const { benchmark } = found;
  if (benchmark.scoringMethod === "pass_at_k" && benchmark.k > options.runs) {
    throw new UserError(
      "usage",
      `benchmark ${benchmark.id} scores pass@${benchmark.k}, which needs --runs ${benchmark.k}`,
    );
  }
  const sandbox = openSandbox({ ...options, level, env: surroundings.env });
  const execution = await executionFor(benchmark);
  const secrets = secretsOf(loaded.skills, options.envKeys, surroundings.env);
  const models = modelDesk(options.models, { env: surroundings.env, secrets, ...surroundings.judges });
  const { temperature } = options.models.llm;
  const judges = new Map<string, JudgeModel>();
  const modelFor = async (id: string | undefined) => {
    const judge = { model: await models.open(id), temperature };
    judges.set(judge.model.id, judge);
    return judge;
  };
  const tasks = await resolveTasks(found, options, (request) =>
    execution.prepareScorer({ ...request, sandbox, modelFor }),
  );
  const opened = await execution.open({
    skills: loaded.skills,
    tasks,
    benchmarkPath: found.path,
    surroundings: { ...surroundings, ...options, sandbox },
  });
  const timing = { timeoutMs: options.timeoutMs, isTyped: options.isTimeoutTyped };
  const useless = uselessTimeout(skills, tasks, timing);
  return {
    skills: loaded.skills,
    benchmark,
    benchmarkPath: found.path,
    tasks,
    plan: planCells({
      skills,
      tasks,
      trials: options.runs,
      deadlineOf: (skill, task) => deadlineOf(skill, task, timing),
    }),
    sandbox,
    execute: opened.execute,
    checkOutput: opened.checkOutput,
    judges: [...judges.values()],
    redact: redactor([...secrets, ...models.secrets()]),
    warnings: [
      ...loaded.warnings,
      ...found.warnings,
      ...(useless === null ? [] : [useless]),
      ...opened.warnings,
    ],
    exclude: surroundings.exclude,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    },
  };
}

function loadNamedBenchmark({ benchmark, tasks, benchmarksDir, cwd }: PlanOptions, bundledDir: string) {
  if (tasks !== null)
    return loadBenchmark(findBenchmark(resolve(cwd, tasks), { cwd, bundledDir, userDirs: [] }).path);
  const userDirs = [...new Set([benchmarksDir, usualBenchmarksDir])];
  if (benchmarksDir !== usualBenchmarksDir && !existsSync(resolve(cwd, benchmarksDir))) {
    throw new UserError("benchmark-not-found", `there is no folder ${benchmarksDir}`, {
      path: benchmarksDir,
      hint: "name the folder of your benchmarks with --benchmarks-dir",
    });
  }
  const { path, warnings } = findBenchmark(benchmark ?? "coding-easy", { cwd, bundledDir, userDirs });
  const loaded = loadBenchmark(path);
  return { ...loaded, warnings: [...warnings, ...loaded.warnings] };
}

async function resolveTasks(
  { benchmark, path, tasksPath }: ReturnType<typeof loadBenchmark>,
  { taskTags, cases, evaluator }: PlanOptions,
  prepareScorer: (request: Omit<ScorerRequest, "sandbox" | "modelFor">) => Promise<Scorer>,
): Promise<ResolvedTask[]> {
  const places = new Map(benchmark.tasks.map(({ id }, index) => [id, `${tasksPath}[${index}]`]));
  const resolved: ResolvedTask[] = [];
  for (const task of selectTasks(benchmark.tasks, { tags: taskTags, ids: cases })) {
    const jsonPath = places.get(task.id) ?? tasksPath;
    const scorer = await prepareScorer({ task, file: path, jsonPath, fallbackType: evaluator });
    resolved.push({ task, digest: sha256(canonicalJson(task)), scorer, scorerDigest: scorerDigest(scorer) });
  }
  return resolved;
}

/** Values that skills are trusted with and nobody else may see. */
function secretsOf(
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
