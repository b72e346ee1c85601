import { resolve } from "node:path";
import { didYouMean } from "../base/nearest.ts";
import type { Config, ConfigOrigin, ModelSettings } from "../contract/config.ts";
import type { ReportFormat } from "../contract/report-format.ts";
import type { SandboxLevel } from "../contract/sandbox-level.ts";
import type { ToolHostMode } from "../contract/tool-host.ts";
import { UserError } from "../contract/user-error.ts";
import { canonicalScorerType, scorerNames } from "../scorers/choose-scorer.ts";
import { defaultEvalLog } from "./eval-log.ts";
import { keptWishes } from "./kept-wishes.ts";

/** What somebody asks of a run beyond the configuration: typed on the command line, or handed to the library. */
export interface RunWishes {
  /** Files or folders. */
  skills?: readonly string[] | undefined;
  /** Id or path. */
  benchmark?: string | undefined;
  /** A file of tasks in place of a benchmark. */
  tasks?: string | undefined;
  benchmarksDir?: string | undefined;
  taskTags?: readonly string[] | undefined;
  cases?: readonly string[] | undefined;
  runs?: number | undefined;
  retries?: number | undefined;
  evaluator?: string | undefined;
  seed?: number | undefined;
  sandbox?: "auto" | SandboxLevel | undefined;
  toolHost?: ToolHostMode | undefined;
  /** Whether the deadline was asked for here: it then caps those of the tasks. */
  isTimeoutTyped?: boolean | undefined;
  /** The line log; null for none. */
  evalLog?: string | null | undefined;
  formats?: readonly ReportFormat[] | undefined;
  outputDir?: string | undefined;
  minCompletion?: number | undefined;
  gateOn?: "point" | "lower" | undefined;
  exitOnFail?: boolean | undefined;
  allowInvalid?: boolean | undefined;
  requireTriggering?: boolean | undefined;
}

const askedNames = [
  "evalLog",
  "formats",
  "outputDir",
  "minCompletion",
  "gateOn",
  "exitOnFail",
  "allowInvalid",
  "requireTriggering",
] as const satisfies readonly (keyof RunWishes)[];

/** What was asked for around the cells. */
type OutputWishes = Pick<RunWishes, (typeof askedNames)[number]>;

/** The configuration, and where it came from as far as that matters for error messages. */
export interface RunConfig {
  config: Config;
  origins: Readonly<Record<string, ConfigOrigin>>;
  files: { project: string | null; user: string | null };
}

/** How the processes of a run are contained. */
export interface ContainmentOptions {
  sandbox: "auto" | SandboxLevel;
  floor: "reduced" | "strict" | null;
  floorFile: string | null;
  network: "none" | "open" | null;
  allowNetwork: string[];
  memoryMb: number | null;
  maxOutputBytes: number;
  killGraceMs: number;
  envKeys: string[];
}

/** What decides the cells of a run and how they end. Kept in the store, so that a resumed run does the same. */
export interface PlanOptions extends ContainmentOptions {
  skills: string[];
  /** Id or path; null where `tasks` takes its place. */
  benchmark: string | null;
  tasks: string | null;
  benchmarksDir: string;
  taskTags: string[];
  cases: string[];
  runs: number;
  retries: number;
  evaluator: string;
  timeoutMs: number;
  isTimeoutTyped: boolean;
  seed: number;
  models: ModelSettings;
  /** Whether tools of skills get a process for every call; absent where nobody asked, and they do. */
  toolHost?: ToolHostMode;
  /** How the router judges trigger queries; absent in plans of versions that had none. */
  router?: Config["router"];
  /** A run that is resumed asks for the same around its cells, its gate above all, unless it is told otherwise. */
  asked: OutputWishes;
  /** The folder relative paths counted from. */
  cwd: string;
}

/** What may differ between a run and its resumption. */
export interface OutputOptions {
  concurrency: number;
  formats: ReportFormat[];
  outputDir: string;
  store: string;
  /** Null: no line log. */
  evalLog: string | null;
  minCompletion: number;
  gateOn: "point" | "lower";
  exitOnFail: boolean;
  allowInvalid: boolean;
  requireTriggering: boolean;
}

/** The benchmark where nobody names one. */
export const usualBenchmark = "coding-easy";
/** Where benchmarks of the user's own are looked for when nobody says so. */
export const usualBenchmarksDir = "./benchmarks";

/** What the wishes and the configuration say about the cells of a run. */
export function planOptions(wishes: RunWishes, loaded: RunConfig, cwd: string): PlanOptions {
  const { config } = loaded;
  if (wishes.benchmark !== undefined && wishes.tasks !== undefined) {
    throw new UserError("usage", "--tasks takes the place of --benchmark; give one of them");
  }
  return {
    cwd,
    skills: [...(wishes.skills ?? [])],
    benchmark: wishes.tasks === undefined ? (wishes.benchmark ?? usualBenchmark) : null,
    tasks: wishes.tasks ?? null,
    benchmarksDir: wishes.benchmarksDir ?? usualBenchmarksDir,
    taskTags: [...(wishes.taskTags ?? [])],
    cases: [...(wishes.cases ?? [])],
    runs: wishes.runs ?? 1,
    retries: wishes.retries ?? 0,
    evaluator: evaluatorOf(wishes.evaluator ?? "exact"),
    timeoutMs: config.timeoutMs,
    isTimeoutTyped: wishes.isTimeoutTyped === true,
    seed: wishes.seed ?? 0,
    ...containmentOptions(wishes.sandbox, loaded),
    ...(wishes.toolHost !== undefined && { toolHost: wishes.toolHost }),
    models: modelSettings(config),
    router: config.router,
    asked: keptWishes(wishes, askedNames, cwd),
  };
}

/** What a flag and the configuration say about containment. */
export function containmentOptions(
  sandbox: "auto" | SandboxLevel | undefined,
  { config, origins, files }: RunConfig,
): ContainmentOptions {
  const { floor, memoryMb, maxOutputBytes, killGraceMs, envKeys } = config.sandbox;
  return {
    sandbox: sandbox ?? "auto",
    floor,
    floorFile: origins["sandbox.floor"] === "project" ? files.project : files.user,
    ...networkOf(config, origins),
    memoryMb,
    maxOutputBytes,
    killGraceMs,
    envKeys,
  };
}

/** One sentence about the network: a flag beats a file, and a project's file the user's own. */
function networkOf(
  { sandbox: { network, allowNetwork } }: Config,
  origins: RunConfig["origins"],
): Pick<PlanOptions, "network" | "allowNetwork"> {
  const nearness = (key: string) => nearest.indexOf(origins[key] ?? "default");
  const nearer = nearness("sandbox.network") - nearness("sandbox.allowNetwork");
  if (nearer > 0) return { network, allowNetwork: [] };
  return { network: nearer < 0 ? null : network, allowNetwork };
}

const nearest: readonly ConfigOrigin[] = ["default", "user", "project", "flag"];

/** What they say about everything around the cells. */
export function outputOptions(wishes: RunWishes, { config }: RunConfig, cwd: string): OutputOptions {
  const outputDir = resolve(cwd, config.outputDir);
  return {
    concurrency: config.concurrency,
    formats: config.defaultFormats,
    outputDir,
    store: config.store,
    evalLog: evalLogOf(wishes.evalLog, outputDir, cwd),
    minCompletion: wishes.minCompletion ?? 0.7,
    gateOn: wishes.gateOn ?? "point",
    exitOnFail: wishes.exitOnFail === true,
    allowInvalid: wishes.allowInvalid === true,
    requireTriggering: wishes.requireTriggering === true,
  };
}

function evalLogOf(wish: RunWishes["evalLog"], outputDir: string, cwd: string): string | null {
  if (wish === undefined) return defaultEvalLog(outputDir);
  return wish === null ? null : resolve(cwd, wish);
}

/** What a plan keeps about models: everything but the key, which comes anew from its place each time. */
export function modelSettings({ llm: { apiKey: _, ...llm }, models, prices }: Config): ModelSettings {
  return { llm, models, prices };
}

function evaluatorOf(name: string): string {
  const type = canonicalScorerType(name);
  if (type !== null) return type;
  throw new UserError("scorer-invalid", `there is no scorer ${name}`, {
    hint: didYouMean(name, scorerNames),
  });
}
