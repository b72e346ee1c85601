import { resolve } from "node:path";
import type { CaseLevel } from "../../contract/agent-case.ts";
import type { Config, ModelSettings } from "../../contract/config.ts";
import type { ReportFormat } from "../../contract/report-format.ts";
import type { ToolHostMode } from "../../contract/tool-host.ts";
import { defaultEvalLog } from "../eval-log.ts";
import { givenSchemas } from "../given-schemas.ts";
import { keptWishes } from "../kept-wishes.ts";
import { projectRoot } from "../project-root.ts";
import { type ContainmentOptions, containmentOptions, modelSettings, type RunConfig } from "../request.ts";
import type { RunOutput } from "../run-levels.ts";
import { agentGates } from "./agent-gates.ts";

/** What decides the cells of a run over agent cases and how they end. Kept in the store, so that a resumed run does the same. */
export interface AgentPlan extends ContainmentOptions {
  suites: string[];
  /** Ids and tags of cases; none means all. */
  cases: string[];
  tags: string[];
  /** Null: L0 and L1, and L2 where a model is named. */
  levels: CaseLevel[] | null;
  /** Ids of the models that cases without a script are run with. */
  models: string[];
  /** Trials of each case; null: what the case says. */
  repeats: number | null;
  baseline: "no-skills" | null;
  /** The model that judges rubrics; null: nobody does. */
  judge: string | null;
  seed: number;
  agent: Config["agent"];
  roots: string[];
  settings: ModelSettings;
  router: Config["router"];
  prompt: Config["prompt"];
  /** How tools of skills are run. */
  toolHost: ToolHostMode;
  /** Schemas of outputs by name: absolute paths of files. */
  schemas: Record<string, string>;
  /** What all calls to models together may cost; null: whatever they cost. */
  maxCostUsd: number | null;
  /** The folder relative paths of cases count from. */
  projectRoot: string;
  cwd: string;
  asked: AgentAsked;
}

/** What somebody asks of `agent eval` beyond the configuration. */
export interface AgentWishes extends AgentAsked {
  suites?: readonly string[] | undefined;
  cases?: readonly string[] | undefined;
  tags?: readonly string[] | undefined;
  levels?: readonly CaseLevel[] | undefined;
  models?: readonly string[] | undefined;
  runs?: number | undefined;
  baseline?: "no-skills" | undefined;
  judgeModel?: string | undefined;
  seed?: number | undefined;
  maxCost?: number | undefined;
  toolHost?: ToolHostMode | undefined;
  /** `<name>=<file>`. */
  schemas?: readonly string[] | undefined;
  sandbox?: ContainmentOptions["sandbox"] | undefined;
}

/** What was asked for around the cells. */
interface AgentAsked {
  minPassRate?: number | undefined;
  minTriggerPrecision?: number | undefined;
  minTriggerRecall?: number | undefined;
  minFinalJson?: number | undefined;
  gateOn?: "point" | "lower" | undefined;
  allowInvalid?: boolean | undefined;
  evalLog?: string | null | undefined;
  formats?: readonly ReportFormat[] | undefined;
  outputDir?: string | undefined;
  runsDir?: string | undefined;
}

/** What may differ between a run and its resumption. */
export interface AgentOutput extends RunOutput {
  formats: ReportFormat[];
  /** Where run directories are made, absolute. */
  runsDir: string;
}

/** Where suites are looked for when nobody names one. */
const usualSuites = ".agent/evals";
/** Where run directories are made when nobody says so. */
export const usualRunsDir = ".agent/runs";

const askedNames = [
  "minPassRate",
  "minTriggerPrecision",
  "minTriggerRecall",
  "minFinalJson",
  "gateOn",
  "allowInvalid",
  "evalLog",
  "formats",
  "outputDir",
  "runsDir",
] as const satisfies readonly (keyof AgentAsked)[];

/** What the wishes and the configuration say about the cells of a run. */
export function agentPlan(wishes: AgentWishes, loaded: RunConfig, cwd: string): AgentPlan {
  const { config, files } = loaded;
  const { runsDir } = wishes;
  return {
    cwd,
    projectRoot: projectRoot(files, cwd),
    suites: wishes.suites === undefined || wishes.suites.length === 0 ? [usualSuites] : [...wishes.suites],
    cases: [...(wishes.cases ?? [])],
    tags: [...(wishes.tags ?? [])],
    levels: wishes.levels === undefined ? null : [...wishes.levels],
    models: [...(wishes.models ?? [])],
    repeats: wishes.runs ?? null,
    baseline: wishes.baseline ?? null,
    judge: wishes.judgeModel ?? null,
    seed: wishes.seed ?? 0,
    agent: config.agent,
    roots: config.skills.roots,
    settings: modelSettings(config),
    router: config.router,
    prompt: config.prompt,
    toolHost: wishes.toolHost ?? "fresh",
    schemas: givenSchemas(wishes.schemas ?? [], cwd),
    maxCostUsd: wishes.maxCost ?? null,
    ...containmentOptions(wishes.sandbox, loaded),
    asked: keptWishes(
      { ...wishes, runsDir: runsDir === undefined ? undefined : resolve(cwd, runsDir) },
      askedNames,
      cwd,
    ),
  };
}

/** What they say about everything around the cells. */
export function agentOutput(wishes: AgentWishes, { config }: RunConfig, cwd: string): AgentOutput {
  const outputDir = resolve(cwd, config.outputDir);
  const { evalLog, gateOn } = wishes;
  return {
    command: "agent eval",
    reportName: "agent-result",
    concurrency: config.concurrency,
    formats: config.defaultFormats,
    outputDir,
    store: config.store,
    evalLog: evalLog === undefined ? defaultEvalLog(outputDir) : evalLog && resolve(cwd, evalLog),
    runsDir: resolve(cwd, wishes.runsDir ?? usualRunsDir),
    gates: (suites) => agentGates(suites, { ...wishes, on: gateOn ?? "point" }),
    allowInvalid: wishes.allowInvalid === true,
  };
}
