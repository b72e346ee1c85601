import { nearPath } from "../../base/near-path.ts";
import { type AgentResult, agentSuite, type CaseReport } from "../../contract/agent-report.ts";
import type { Json } from "../../contract/json.ts";
import type { Answered } from "../../contract/outcome.ts";
import type { CellResult } from "../../contract/result.ts";
import { pureReport } from "../../scorers/agent/grade-pure.ts";
import { verdictOf } from "../cell-result.ts";
import { executeConversation } from "../conversations/execute-conversation.ts";
import type { Execute } from "../execution.ts";
import type { Part } from "../part.ts";
import { type AgentJob, subjectOf } from "./agent-cells.ts";
import { type AgentWorld, executeAgent } from "./execute-agent.ts";
import { scoreOf } from "./report-scorer.ts";
import { runPureCase } from "./run-pure-case.ts";

/** What the store keeps of a cell: what the grader said, and where the run lies. */
export type StoredCase = CaseReport & { run_dir: string | null };

/** A part of a run over the cases of one suite, and how their stored results read. */
export interface AgentPart extends Part {
  resultOf(result: CellResult): AgentResult;
}

export interface AgentPartOptions {
  suite: string;
  jobs: readonly AgentJob[];
  world: AgentWorld;
  /** What a newer grader says about cells whose runs an older one graded. */
  regraded: ReadonlyMap<string, CaseReport>;
  add(result: AgentResult, cell: CellResult): void;
}

/** The cases of one suite as cells of the engine. */
export function agentPart({ suite, jobs, world, regraded, add }: AgentPartOptions): AgentPart {
  const byKey = new Map(jobs.map((job) => [job.cell.key, job]));
  const cells = jobs.map(({ cell }) => cell);
  const jobOf = (key: string) => byKey.get(key) as AgentJob;
  const resultOf = (result: CellResult) =>
    agentResult(result, jobOf(result.cellKey), regraded.get(result.cellKey), world.plan.cwd);
  const judgedNow = (result: CellResult) => {
    const report = regraded.get(result.cellKey);
    return report === undefined ? result : { ...result, ...verdictOf(scoreOf(report)) };
  };
  const { level, backend, network, unproven } = world.sandbox.containment;
  return {
    suiteId: agentSuite(suite),
    skillIds: [...new Set(jobs.map(subjectOf))],
    plan: Object.assign(cells, { size: cells.length }),
    execute: executing(jobOf, world),
    checkOutput: () => [],
    stampOf: () => ({ level, backend, network, unproven }),
    keepsWholeOutput: true,
    retries: 0,
    add: (result) => add(resultOf(result), judgedNow(result)),
    lineOf: (result) => logLine(resultOf(result), judgedNow(result)),
    resultOf,
  };
}

/** Runs a case, or its pure function, and hands on what the grader said. */
function executing(jobOf: (key: string) => AgentJob, world: AgentWorld): Execute {
  return async ({ key }, signal) => {
    const job = jobOf(key);
    const { loaded } = job;
    const began = world.clock.monotonic();
    if (loaded.kind === "conversation") {
      const report = await executeConversation({ ...job, loaded }, world, signal);
      return {
        ...answered({ ...report, run_dir: null }, world.clock.monotonic() - began),
        ...usageOf(report),
      };
    }
    if (loaded.kind !== "agent") {
      const report = pureReport(loaded, await runPureCase(loaded));
      return answered({ ...report, run_dir: null }, world.clock.monotonic() - began);
    }
    const { report, dir } = await executeAgent({ ...job, loaded }, world, signal);
    const latencyMs = world.clock.monotonic() - began;
    return { ...answered({ ...report, run_dir: dir }, latencyMs), ...usageOf(report) };
  };
}

function answered(stored: StoredCase, latencyMs: number): Answered {
  return { status: "answered", output: stored as unknown as Json, latencyMs };
}

function usageOf({ model, tallies }: CaseReport): Pick<Answered, "usage"> {
  if (model === "mock" || tallies.unknown_usage > 0) return {};
  const { input_tokens: promptTokens, output_tokens: completionTokens, cost_usd: costUsd } = tallies;
  return { usage: { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens, costUsd } };
}

function agentResult(
  result: CellResult,
  { loaded, condition }: AgentJob,
  regraded: CaseReport | undefined,
  cwd: string,
): AgentResult {
  const { run_dir, ...report } = stored(result);
  return {
    ...(regraded ?? report),
    case_digest: loaded.digest,
    cell_key: result.cellKey,
    ...(loaded.case.title !== undefined && { title: loaded.case.title }),
    tags: loaded.case.tags,
    latency_ms: result.latencyMs,
    run_dir: run_dir === null ? null : nearPath(run_dir, cwd),
    condition,
  };
}

export function stored(result: CellResult): StoredCase {
  return result.output as unknown as StoredCase;
}

function logLine({ suite, case_id, status, failures, run_id, model }: AgentResult, result: CellResult) {
  return {
    kind: "agent" as const,
    skillId: result.skillId,
    suite,
    caseId: case_id,
    cellKey: result.cellKey,
    verdict: result.status,
    cause: result.error?.code ?? null,
    model,
    trial: result.trial,
    agentRunId: run_id,
    status,
    failures: failures.map(({ dimension, code }) => ({ dimension, code })),
    latencyMs: result.latencyMs,
    ts: result.finishedAt,
  };
}
