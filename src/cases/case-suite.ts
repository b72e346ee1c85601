import { agentDetails, asJson, detailsIn } from "../contract/agent-details.ts";
import type { IsolationData } from "../contract/agent-record.ts";
import { subjectName } from "../contract/cell.ts";
import type { Level, LevelFold, LogLine, Metric, SuiteRun } from "../contract/level.ts";
import type { LoadedCase } from "../contract/loaded-case.ts";
import type { CellResult } from "../contract/result.ts";
import type { Sandbox } from "../contract/sandbox.ts";
import type { Telemetry } from "../contract/telemetry.ts";
import { planCells } from "../engine/plan-cells.ts";
import type { Clock } from "../shared/async/clock.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import type { AgentModels } from "./agent-models.ts";
import type { JudgeOfCase } from "./ask-about-sentences.ts";
import type { AgentPlan } from "./case-request.ts";
import { ungradedReport } from "./case-score.ts";
import type { CatalogRegistry } from "./catalog-registry.ts";
import type { ConversationRegistry } from "./conversation-registry.ts";
import { type AgentCase, type AgentSubject, caseKey, type SuitePlan } from "./plan-cases.ts";

/** What agents and conversations are measured by. */
export const caseMetrics: readonly Metric[] = [
  { name: "completionRate", label: "completion", unit: "share", better: "up" },
  { name: "passRate", label: "pass rate", unit: "share", better: "up", isCompared: true, isMain: true },
  { name: "recall", label: "trigger recall", unit: "share", better: "up", isCompared: true, isMain: true },
  { name: "precision", label: "trigger precision", unit: "share", better: "up", isCompared: true },
  { name: "latencyP95Ms", label: "P95 latency", unit: "ms", better: "down", isCompared: true },
  { name: "partialScore", label: "partial score", unit: "score", better: "up" },
  { name: "errorRate", label: "error rate", unit: "share", better: "down" },
  { name: "compositeScore", label: "composite score", unit: "score", better: "up" },
];

/** What cells of agent cases share. */
export interface CaseContext {
  plan: AgentPlan;
  evalRunId: string;
  /** Where run directories are made. */
  runsDir: string;
  catalogs: CatalogRegistry;
  conversations: ConversationRegistry;
  models: AgentModels;
  /** Whether models are replayed. */
  replaysModels: boolean;
  judgeOf: JudgeOfCase;
  sandbox: Sandbox;
  /** Whether any case may start a process. */
  mayStart: boolean;
  isolation: IsolationData;
  env: NodeJS.ProcessEnv;
  secrets: readonly string[];
  redact: <Value>(value: Value) => Value;
  telemetry: Telemetry;
  clock: Clock;
  random: () => number;
}

export interface CaseSuiteFacts<Loaded extends LoadedCase> {
  plan: SuitePlan<string, Loaded>;
  context: CaseContext;
  fold: LevelFold;
  /** Whether this is a run over some of the cases. */
  isPartial: boolean;
}

type CaseSuite<Loaded extends LoadedCase> = SuiteRun<AgentCase<Loaded>, AgentSubject>;

/** How the cases of one level are run and decided. */
export interface CaseRules<Loaded extends LoadedCase> extends Pick<CaseSuite<Loaded>, "execute" | "score"> {
  level: Level;
  grader: string;
}

/** The cases of a suite as a suite of the engine: what agents and conversations share. */
export function caseSuite<Loaded extends LoadedCase>(
  { plan, context, fold, isPartial }: CaseSuiteFacts<Loaded>,
  { level, grader, execute, score }: CaseRules<Loaded>,
): CaseSuite<Loaded> {
  const { suite: id, subjects, cases, casesOf } = plan;
  const cells = planCells<AgentCase<Loaded>, AgentSubject>({
    level,
    id,
    subjects,
    casesOf,
    trialsOf: (_, { trials }) => trials,
    deadlineOf: (_, { deadlineMs }) => deadlineMs,
    keyOf: caseKey,
  });
  const { level: mode, backend, network, unproven } = context.sandbox.containment;
  const stamp = context.mayStart ? { level: mode, backend, network, unproven } : null;
  const files = new Map(cases.map(({ id: caseId, loaded }) => [caseId, loaded.file]));
  return {
    level,
    id,
    version: "",
    digest: sha256(canonicalJson(cases.map((one) => [one.id, one.digest]))),
    subjects,
    casesOf,
    trials: cells.trials,
    cells,
    retries: 0,
    replaysModels: context.replaysModels,
    scoring: { scoringMethod: "mean", k: 1, maxLatencyMs: 30_000 },
    execute,
    score,
    inputsOf: ({ case: { inputs } }) => inputs,
    detailsOf: ({ case: { loaded }, subject, trial }) => ungraded(loaded, subject.model, trial, grader),
    isOutdated: (result) => detailsIn(result).grader !== grader,
    stampOf: () => stamp,
    // A grader bounds what it quotes, and a conversation what it records.
    keepsWholeOutput: true,
    fold,
    lineOf: caseLine,
    isPartial,
    fileOf: (_, caseId) => files.get(caseId),
  };
}

/** What is stored where no grader ran. */
function ungraded({ suite, level, case: { id } }: LoadedCase, model: string, trial: number, grader: string) {
  return asJson(agentDetails(ungradedReport({ suite, case_id: id, level, trial, model, grader }), null));
}

/** What the line log says about the cell of a case. */
function caseLine(result: CellResult): LogLine {
  const { failures, runId } = detailsIn(result);
  return {
    kind: "agent",
    skillId: subjectName(result),
    suite: result.suite,
    caseId: result.caseId,
    cellKey: result.key,
    verdict: result.status,
    cause: result.cause,
    model: result.model,
    trial: result.trial,
    agentRunId: runId,
    status: result.status,
    failures: failures.map(({ dimension, code }) => ({ dimension, code })),
    latencyMs: result.latencyMs,
    ts: result.finishedAt,
  };
}
