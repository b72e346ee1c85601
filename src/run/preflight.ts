import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { canonicalJson, sha256 } from "../base/canonical-json.ts";
import { openOrClose } from "../base/open-or-close.ts";
import { redactor } from "../base/redact.ts";
import type { Benchmark } from "../contract/benchmark.ts";
import type { Cell, ResolvedTask, TestedSkill } from "../contract/cell.ts";
import type { ContainmentStamp } from "../contract/containment.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { Scorer } from "../contract/scorer.ts";
import { UserError } from "../contract/user-error.ts";
import { deadlineOf, uselessTimeout } from "../plan/deadlines.ts";
import { planCells, scorerDigest } from "../plan/plan-cells.ts";
import { isPassedThrough } from "../sandbox/environment.ts";
import type { ScorerRequest } from "../scorers/choose-scorer.ts";
import { type LoadedSkill, loadSkills } from "../skills/targets/load-skills.ts";
import { findBenchmark } from "../spec/find-benchmark.ts";
import { type LoadedBenchmark, loadBenchmark, selectTasks } from "../spec/load-benchmark.ts";
import type { OutputCheck } from "./cell-result.ts";
import { type Execute, executionFor } from "./execution.ts";
import { beginProof, type Contained, openContainment } from "./open-containment.ts";
import { type JudgeModel, type Judges, openJudges } from "./open-judges.ts";
import { type PlanOptions, usualBenchmark, usualBenchmarksDir } from "./request.ts";
import type { Surroundings } from "./surroundings.ts";
import { preparePass } from "./triggering/prepare-pass.ts";
import type { ReadyTriggers } from "./triggering/prepare-triggers.ts";

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
  /** How a result of a skill was contained; null where nothing of it runs on this machine. */
  stampOf: (skill: TestedSkill) => ContainmentStamp | null;
  redact: <Value>(value: Value) => Value;
  /** The models that score some of the tasks, each once. */
  judges: readonly JudgeModel[];
  /** The trigger tests of these skills; null where none has any. */
  triggers: ReadyTriggers | null;
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
  await using proof = beginProof(options, surroundings);
  const loaded = await loadNamedSkills(options, surroundings.exclude);
  const found = given ?? loadNamedBenchmark(options, surroundings.bundledDir);
  refuseTooFewTrials(found.benchmark, options.runs);
  const files = { skills: loaded.skills, found };
  const contained = await openContainment(options, surroundings, proof, files);
  const { sandbox } = contained;
  const { env } = surroundings;
  const secrets = secretsOf(loaded.skills, options.envKeys, env);
  const judges = openJudges(options.models, { env, secrets, ...surroundings.judges });
  async function close() {
    await judges[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  }
  const checked = { loaded, found, given, contained, secrets, judges, close };
  return openOrClose(close, () => readyRun(options, surroundings, checked));
}

interface Checked {
  loaded: Awaited<ReturnType<typeof loadSkills>>;
  found: LoadedBenchmark;
  /** Where tasks stand in no file: somebody asks one thing, and no pass is made. */
  given: LoadedBenchmark | undefined;
  contained: Contained;
  secrets: readonly string[];
  judges: Judges;
  close: () => Promise<void>;
}

/** The rest of the checks: what needs skills, tasks and a sandbox at once. */
async function readyRun(
  options: PlanOptions,
  surroundings: Surroundings,
  { loaded, found, given, contained, secrets, judges, close }: Checked,
): Promise<ReadyRun> {
  const { sandbox } = contained;
  const { benchmark } = found;
  const skills = loaded.skills.map(({ skill }) => skill);
  const execution = await executionFor(benchmark);
  const { modelFor } = judges;
  // Skills and scorers may find the same thing; it is told once.
  const told = new Set<string>();
  const warn = (warning: string) => void told.add(warning);
  const adapters = skills.map(({ adapter }) => adapter.type);
  const tasks = await resolveTasks(found, options, async (request) => {
    refuseUnreadDocument(request, adapters);
    return execution.prepareScorer({ ...request, adapters, sandbox, modelFor, warn });
  });
  const opened = await execution.open({
    skills: loaded.skills,
    tasks,
    benchmarkPath: found.path,
    surroundings: { ...surroundings, ...options, sandbox, warn },
  });
  const triggers = await openOrClose(
    () => opened[Symbol.asyncDispose](),
    async () => (given === undefined ? preparePass(options, skills, surroundings) : null),
  );
  const timing = { timeoutMs: options.timeoutMs, isTyped: options.isTimeoutTyped };
  const useless = uselessTimeout(skills, tasks, timing);
  return {
    skills: loaded.skills,
    benchmark,
    benchmarkPath: found.path,
    tasks,
    plan: planCells({
      suiteId: benchmark.id,
      skills,
      tasks,
      trials: options.runs,
      deadlineOf: (skill, task) => deadlineOf(skill, task, timing),
    }),
    sandbox,
    execute: opened.execute,
    checkOutput: opened.checkOutput,
    stampOf: opened.stampOf,
    judges: judges.all(),
    triggers,
    redact: redactor([...secrets, ...judges.secrets(), ...(triggers?.judges.secrets() ?? [])]),
    warnings: [
      ...loaded.warnings,
      ...found.warnings,
      ...contained.warnings,
      ...told,
      ...(useless === null ? [] : [useless]),
      ...opened.warnings,
      ...(triggers?.warnings ?? []),
    ],
    exclude: surroundings.exclude,
    async [Symbol.asyncDispose]() {
      await triggers?.[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
      await close();
    },
  };
}

async function loadNamedSkills({ skills, cwd }: PlanOptions, exclude: readonly string[]) {
  const loaded = await loadSkills(skills, { cwd, exclude });
  if (loaded.skills.length > 0) return loaded;
  throw new UserError("nothing-to-do", "no skill was named", {
    hint: "name skills with --skills <paths...>",
  });
}

function refuseTooFewTrials({ id, scoringMethod, k }: Benchmark, runs: number): void {
  if (scoringMethod !== "pass_at_k" || k <= runs) return;
  throw new UserError("usage", `benchmark ${id} scores pass@${k}, which needs --runs ${k}`);
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
  const { path, warnings } = findBenchmark(benchmark ?? usualBenchmark, { cwd, bundledDir, userDirs });
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

/** Only tools are handed the open document; anywhere else the key would be overlooked in silence. */
function refuseUnreadDocument(
  { task, file, jsonPath }: Pick<ScorerRequest, "task" | "file" | "jsonPath">,
  adapters: readonly string[],
): void {
  if (task.document === undefined || adapters.every((adapter) => adapter === "tool")) return;
  throw new UserError("benchmark-invalid", `task ${task.id}: \`document\` needs the adapter \`tool\``, {
    path: file,
    jsonPath: `${jsonPath}.document`,
    hint: "name tools as <skill>#<tool>",
  });
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
