import { resolve } from "node:path";
import type { Config, ModelSettings } from "../../contract/config.ts";
import type { ReportFormat } from "../../contract/report-format.ts";
import { defaultEvalLog } from "../eval-log.ts";
import { keptWishes } from "../kept-wishes.ts";
import { projectRoot } from "../project-root.ts";
import { type ContainmentOptions, containmentOptions, modelSettings, type RunConfig } from "../request.ts";
import type { RunOutput } from "../run-levels.ts";
import { planGates } from "./planbench-level.ts";

/** What decides the samples of a bench and how they end. Kept in the store, so that a resumed run does the same. */
export interface BenchPlan extends ContainmentOptions {
  /** Path or id; null: the usual one. */
  bench: string | null;
  /** Ids and tags of cases; none means all. */
  cases: string[];
  tags: string[];
  host: string | null;
  route: "auto" | "forced" | "all";
  /** Most cases; null: all. */
  limit: number | null;
  /** Null: what the bench says. */
  samples: number | null;
  maxRepairs: number | null;
  model: string | null;
  seed: number;
  /** The key `skills.roots` of the configuration. */
  roots: string[];
  router: Config["router"];
  prompt: Config["prompt"];
  settings: ModelSettings;
  projectRoot: string;
  cwd: string;
  asked: BenchAsked;
}

/** What somebody asks of `planbench` beyond the configuration. */
export interface BenchWishes extends BenchAsked {
  bench?: string | undefined;
  cases?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  onlyHost?: string | undefined;
  route?: BenchPlan["route"] | undefined;
  limit?: number | undefined;
  runs?: number | undefined;
  maxRepairs?: number | undefined;
  model?: string | undefined;
  seed?: number | undefined;
  sandbox?: ContainmentOptions["sandbox"] | undefined;
}

/** What was asked for around the samples. */
interface BenchAsked {
  includePlan?: boolean | undefined;
  minOk0?: number | undefined;
  minSuccess?: number | undefined;
  maxP95Ms?: number | undefined;
  gateOn?: "point" | "lower" | undefined;
  allowInvalid?: boolean | undefined;
  evalLog?: string | null | undefined;
  formats?: readonly ReportFormat[] | undefined;
  outputDir?: string | undefined;
}

/** What may differ between a run and its resumption. */
export interface BenchOutput extends RunOutput {
  formats: ReportFormat[];
  includePlan: boolean;
}

const askedNames = [
  "includePlan",
  "minOk0",
  "minSuccess",
  "maxP95Ms",
  "gateOn",
  "allowInvalid",
  "evalLog",
  "formats",
  "outputDir",
] as const satisfies readonly (keyof BenchAsked)[];

/** What the wishes and the configuration say about the samples of a run. */
export function benchPlan(wishes: BenchWishes, loaded: RunConfig, cwd: string): BenchPlan {
  const { config, files } = loaded;
  return {
    cwd,
    projectRoot: projectRoot(files, cwd),
    bench: wishes.bench ?? null,
    cases: [...(wishes.cases ?? [])],
    tags: [...(wishes.tags ?? [])],
    host: wishes.onlyHost ?? null,
    route: wishes.route ?? "all",
    limit: wishes.limit ?? null,
    samples: wishes.runs ?? null,
    maxRepairs: wishes.maxRepairs ?? null,
    model: wishes.model ?? null,
    seed: wishes.seed ?? 0,
    roots: config.skills.roots,
    router: config.router,
    prompt: config.prompt,
    settings: modelSettings(config),
    ...containmentOptions(wishes.sandbox, loaded),
    asked: keptWishes(wishes, askedNames, cwd),
  };
}

/** What they say about everything around the samples. */
export function benchOutput(wishes: BenchWishes, { config }: RunConfig, cwd: string): BenchOutput {
  const outputDir = resolve(cwd, config.outputDir);
  const { minOk0 = null, minSuccess = null, maxP95Ms = null, gateOn = "point", evalLog } = wishes;
  return {
    command: "planbench",
    reportName: "planbench-result",
    concurrency: config.concurrency,
    formats: config.defaultFormats,
    outputDir,
    store: config.store,
    evalLog: evalLog === undefined ? defaultEvalLog(outputDir) : evalLog && resolve(cwd, evalLog),
    includePlan: wishes.includePlan === true,
    gates: () => planGates({ minOk0, minSuccess, maxP95Ms, gateOn }),
    allowInvalid: wishes.allowInvalid === true,
  };
}
