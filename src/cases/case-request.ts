import type { CaseLevel } from "../contract/agent-case.ts";
import type { Config, ModelSettings } from "../contract/config.ts";
import type { GateReport } from "../contract/document.ts";
import type { JudgeReliance } from "../contract/judge-reliance.ts";
import type { SuiteRun } from "../contract/level.ts";
import { type Settled, settledOptions, storedOptions } from "../contract/option-table.ts";
import type { WantsCase } from "../engine/case-selection.ts";
import type { SharedProof } from "../engine/containment/open-containment.ts";
import { type GateRule, limitGates } from "../engine/gates.ts";
import type { GrantContext } from "../engine/granted.ts";
import {
  type CommonOutput,
  type ContainmentOptions,
  commonOutput,
  containmentOptions,
  givenSchemas,
  modelSettings,
  projectRoot,
  type RunConfig,
} from "../engine/request.ts";
import type { RunOutput } from "../engine/run-levels.ts";
import type { ModelContext } from "../models/model-registry.ts";
import { writtenPath } from "../shared/files/written-path.ts";
import { type AgentEvalOptions, agentEvalTable, runsDirRow } from "./case-options.ts";

type PlanOptions = Settled<typeof agentEvalTable, "plan">;

/** What decides the cells of a run over agent cases and how they end. Stored, so that a resumed run does the same. */
export interface AgentPlan
  extends ContainmentOptions,
    Omit<PlanOptions, keyof ContainmentOptions | "classes" | "runs" | "schemas"> {
  /** Null: L0 and L1, and L2 where a model is named. */
  classes: readonly CaseLevel[] | null;
  /** Trials of each case; null: what the case says. */
  repeats: number | null;
  agent: Config["agent"];
  roots: string[];
  settings: ModelSettings;
  router: Config["router"];
  prompt: Config["prompt"];
  /** Schemas of outputs by name: absolute paths of files. */
  schemas: Record<string, string>;
  /** The folder relative paths of cases count from. */
  projectRoot: string;
  cwd: string;
  storedOptions: Partial<AgentEvalOptions>;
}

/** The environment of a run over agent cases, which no plan stores. */
export interface AgentContext extends GrantContext, SharedProof {
  env: NodeJS.ProcessEnv;
  version: string;
  /** Where models get their keys, and whether their calls are recorded or replayed. */
  models: Pick<ModelContext, "apiKey" | "record" | "replay" | "concurrency" | "budget">;
  reliance: JudgeReliance;
  /** Never part of a skill's digest, and shown to none: the store, reports, run directories. */
  exclude: readonly string[];
  /** The file of the store, absolute: it also holds the router's vectors. */
  storePath: string;
  /** Where run directories are made, absolute. */
  runsDir: string;
  isDryRun?: boolean | undefined;
  /** Chooses among the cases. */
  wants?: WantsCase | undefined;
  /** Whether what needs a model that is not there is left out, were it everything; else that is an error, or has no verdict. */
  leavesModelsOut?: boolean | undefined;
}

/** What may differ between a run and its resumption. */
interface AgentOutput extends RunOutput, CommonOutput {
  /** Where run directories are made, absolute. */
  runsDir: string;
}

/** What the options and the configuration say about the cells of a run. */
export function agentPlan(options: AgentEvalOptions, loaded: RunConfig, cwd: string): AgentPlan {
  const { config, files } = loaded;
  const { classes, runs, schemas, ...plan } = settledOptions(agentEvalTable, "plan", options);
  return {
    ...plan,
    cwd,
    projectRoot: projectRoot(files, cwd),
    classes: classes.length === 0 ? null : classes,
    repeats: runs,
    agent: config.agent,
    roots: config.skills.roots,
    settings: modelSettings(config),
    router: config.router,
    prompt: config.prompt,
    schemas: givenSchemas(schemas, cwd),
    ...containmentOptions(options.sandbox, loaded),
    storedOptions: storedOptions(agentEvalTable, options, cwd),
  };
}

/** What they say about the output of a run. */
export function agentOutput(options: AgentEvalOptions, loaded: RunConfig, cwd: string): AgentOutput {
  const { gateOn = "point", runsDir = runsDirRow.default } = options;
  return {
    ...commonOutput(options, loaded, cwd),
    command: "agent eval",
    reportName: "agent-result",
    runsDir: writtenPath(runsDir, cwd),
    gates: (suites) => agentGates(suites, { ...options, on: gateOn }),
  };
}

/** The thresholds for all cases of a run together. */
interface AgentGateOptions {
  minPassRate?: number | undefined;
  minTriggerPrecision?: number | undefined;
  minTriggerRecall?: number | undefined;
  minFinalJson?: number | undefined;
  maxP95Ms?: number | undefined;
  on: Extract<GateReport["on"], "point" | "lower">;
}

/** The gates of a run over cases: its thresholds, and that no case fails. They cover agents and conversations together. */
export function agentGates(suites: readonly SuiteRun[], options: AgentGateOptions): GateRule[] {
  const level = ["agent", "conversation"].find((name) => suites.some((suite) => suite.level.name === name));
  if (level === undefined) return [];
  const shared = { level, scope: "run", enforced: true } as const;
  const thresholds = {
    passRate: options.minPassRate,
    triggerPrecision: options.minTriggerPrecision,
    triggerRecall: options.minTriggerRecall,
    finalJson: options.minFinalJson,
  };
  const thresholdRules = Object.entries(thresholds).flatMap(([metric, threshold]): GateRule[] =>
    threshold === undefined ? [] : [{ ...shared, metric, on: options.on, op: ">=", threshold }],
  );
  const levels = new Set(suites.map((suite) => suite.level.name));
  const limits = [...levels].flatMap((name) =>
    limitGates(
      { maxP95Ms: options.maxP95Ms, gateOn: options.on },
      { level: name, enforced: true, appliesTo: ({ arm }) => arm !== "absent" },
    ),
  );
  return [
    ...thresholdRules,
    ...limits,
    { ...shared, metric: "failedCases", on: "point", op: "<=", threshold: 0 },
  ];
}
