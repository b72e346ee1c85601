import { resolve } from "node:path";
import type { Config, ModelSettings } from "../../contract/config.ts";
import type { JudgeKind } from "../../contract/judge-kind.ts";
import type { ReportFormat } from "../../contract/report-format.ts";
import type { RoutingFilters } from "../../contract/routing.ts";
import type { TriggerGate } from "../../contract/triggering.ts";
import { defaultEvalLog } from "../eval-log.ts";
import { keptWishes } from "../kept-wishes.ts";
import { modelSettings, type RunConfig } from "../request.ts";
import type { RunOutput } from "../run-levels.ts";
import { hasForbiddenSkip, triggerGates } from "./trigger-gates.ts";

/** What decides the queries of a pass and how they are judged. Kept in the store, so that a resumed run does the same. */
export interface PassOptions {
  /** Files or folders. */
  skills: string[];
  /** Folders of siblings; null: those around the skills. */
  catalog: string[] | null;
  /** Files of further queries. */
  sets: string[];
  /** Ids of queries; none means all. */
  cases: string[];
  judge: { kind: JudgeKind | null; model: string | null; agent: string | null };
  /** Null: what the block says. */
  repeats: number | null;
  threshold: number | null;
  filters: RoutingFilters;
  router: Config["router"];
  requireVectors: boolean;
  seed: number;
  /** The longest wait for one judgment. */
  timeoutMs: number;
  models: ModelSettings;
  /** The folder relative paths count from. */
  cwd: string;
}

/** The plan of a run of `trigger`, as the store keeps it. */
export interface TriggerPlan extends PassOptions {
  /** What was asked for around the queries when the run began. */
  asked: TriggerAsked;
}

/** What somebody asks of `trigger` beyond the configuration. */
export interface TriggerWishes extends TriggerAsked {
  skills?: readonly string[] | undefined;
  catalog?: readonly string[] | undefined;
  sets?: readonly string[] | undefined;
  cases?: readonly string[] | undefined;
  judge?: JudgeKind | undefined;
  judgeModel?: string | undefined;
  agent?: string | undefined;
  runs?: number | undefined;
  threshold?: number | undefined;
  host?: string | undefined;
  groups?: readonly string[] | undefined;
  allow?: readonly string[] | undefined;
  requireVectors?: boolean | undefined;
  seed?: number | undefined;
}

/** What was asked for around the queries. */
interface TriggerAsked {
  minRecall?: number | undefined;
  minPrecision?: number | undefined;
  minMcc?: number | undefined;
  gateOn?: "point" | "lower" | undefined;
  requireTriggering?: boolean | undefined;
  allowInvalid?: boolean | undefined;
  allowInconclusive?: boolean | undefined;
  evalLog?: string | null | undefined;
  formats?: readonly ReportFormat[] | undefined;
  outputDir?: string | undefined;
}

/** What may differ between a run and its resumption. */
export interface TriggerOutput extends RunOutput {
  formats: ReportFormat[];
  allowInconclusive: boolean;
}

/** How long a judge may take over one answer where nobody says so. */
export const defaultJudgeMs = 30_000;

/** What the wishes and the configuration say about the queries of a run. */
export function triggerPlan(wishes: TriggerWishes, { config, origins }: RunConfig, cwd: string): TriggerPlan {
  const { judge, judgeModel, agent, threshold } = wishes;
  return {
    cwd,
    skills: [...(wishes.skills ?? [])],
    catalog: wishes.catalog === undefined ? null : [...wishes.catalog],
    sets: [...(wishes.sets ?? [])],
    cases: [...(wishes.cases ?? [])],
    judge: { kind: judge ?? null, model: judgeModel ?? null, agent: agent ?? null },
    repeats: wishes.runs ?? null,
    threshold: threshold ?? null,
    filters: {
      host: wishes.host ?? null,
      groups: [...(wishes.groups ?? [])],
      allow: [...(wishes.allow ?? [])],
    },
    router: config.router,
    requireVectors: wishes.requireVectors === true,
    seed: wishes.seed ?? 0,
    timeoutMs: origins.timeoutMs === "flag" ? config.timeoutMs : defaultJudgeMs,
    models: modelSettings(config),
    asked: keptWishes(wishes, askedNames, cwd),
  };
}

const askedNames = [
  "minRecall",
  "minPrecision",
  "minMcc",
  "gateOn",
  "requireTriggering",
  "allowInvalid",
  "allowInconclusive",
  "evalLog",
  "formats",
  "outputDir",
] as const satisfies readonly (keyof TriggerAsked)[];

/** What they say about everything around the queries. */
export function triggerOutput(wishes: TriggerWishes, { config }: RunConfig, cwd: string): TriggerOutput {
  const outputDir = resolve(cwd, config.outputDir);
  const { minRecall, minPrecision, minMcc, evalLog } = wishes;
  const lines: TriggerGate = {
    ...(minRecall !== undefined && { recall: minRecall }),
    ...(minPrecision !== undefined && { precision: minPrecision }),
    ...(minMcc !== undefined && { mcc: minMcc }),
  };
  return {
    command: "trigger",
    reportName: "trigger-result",
    concurrency: config.concurrency,
    formats: config.defaultFormats,
    outputDir,
    store: config.store,
    evalLog: evalLog === undefined ? defaultEvalLog(outputDir) : evalLog && resolve(cwd, evalLog),
    gates: (suites) => triggerGates(suites, { lines, on: wishes.gateOn ?? "point", enforced: true }),
    allowInvalid: wishes.allowInvalid === true,
    isMissing: (skipped) => wishes.requireTriggering === true && hasForbiddenSkip(skipped),
    allowInconclusive: wishes.allowInconclusive === true,
  };
}
