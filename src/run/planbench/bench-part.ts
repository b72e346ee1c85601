import type { Clock } from "../../base/clock.ts";
import type { Json } from "../../contract/json.ts";
import { benchSuite, type PlanResult, type PlanSample } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Telemetry } from "../../contract/telemetry.ts";
import { runSample } from "../../planbench/run-sample.ts";
import type { Execute } from "../execution.ts";
import type { Part } from "../part.ts";
import { type BenchJob, subjectOf } from "./bench-cells.ts";
import type { ReadyBench } from "./prepare-bench.ts";
import { sourceOf } from "./source-of.ts";
import { toldExecutor } from "./told-executor.ts";

/** What the samples of a run share. */
interface SampleWorld {
  runId: string;
  clock: Clock;
  /** Makes a name for the session of a sample that no other has. */
  newSession: () => string;
  telemetry: Telemetry;
  redact: <Value>(value: Value) => Value;
}

/** The samples of a bench, and how their stored results read. */
export interface BenchPart extends Part {
  resultOf(result: CellResult): PlanResult;
}

export interface BenchPartOptions {
  ready: ReadyBench;
  world: SampleWorld;
  add(result: PlanResult, cell: CellResult): void;
}

/** The samples of a bench as cells of the engine. */
export function benchPart({ ready, world, add }: BenchPartOptions): BenchPart {
  const { jobs, bench, isolation } = ready;
  const byKey = new Map(jobs.map((job) => [job.cell.key, job]));
  const cells = jobs.map(({ cell }) => cell);
  const jobOf = (key: string) => byKey.get(key) as BenchJob;
  const resultOf = (result: CellResult) => planResult(result, jobOf(result.cellKey));
  const { level, backend, network, unproven } = ready.sandbox.containment;
  const stamp = isolation && { level, backend, network, unproven };
  return {
    suiteId: benchSuite(bench.file.id),
    skillIds: [...new Set(jobs.map(subjectOf))],
    plan: Object.assign(cells, { size: cells.length }),
    execute: executing(jobOf, ready, world),
    checkOutput: () => [],
    stampOf: () => stamp,
    keepsWholeOutput: true,
    retries: 0,
    add: (result) => add(resultOf(result), result),
    lineOf: (result) => logLine(resultOf(result), result, bench.file.id),
    resultOf,
  };
}

function executing(jobOf: (key: string) => BenchJob, ready: ReadyBench, world: SampleWorld): Execute {
  const { bench, maxRepairs, checkOf, executor } = ready;
  const { clock, telemetry, redact } = world;
  return async ({ key }, signal) => {
    const job = jobOf(key);
    const { stratum, host } = job.case;
    const session = world.newSession();
    const context = {
      run_id: world.runId,
      cell_id: key,
      case_id: job.case.id,
      session_id: session,
      ...(host !== undefined && { host_app: host }),
    };
    const { selected, skills } = job.chosen;
    const sample = await runSample(
      {
        source: sourceOf(job, ready, session),
        check: checkOf(job.case),
        executor: executor && toldExecutor(executor, telemetry, { context, redact }),
        maxRepairs,
        timeoutMs: bench.file.timeout_ms,
        clock,
        skills: { selected, skills },
      },
      signal,
    );
    const { outcome, repairs, ms, tokens } = sample;
    const told = { outcome, repairs, ms, tokens: tokens?.total ?? null, route: stratum };
    telemetry.emit("planbench.sample_done", told, context);
    const output = sample as unknown as Json;
    return { status: "answered", output, latencyMs: ms, ...(tokens !== null && { usage: usageOf(tokens) }) };
  };
}

function usageOf({ total: totalTokens }: NonNullable<PlanSample["tokens"]>) {
  return { promptTokens: null, completionTokens: null, totalTokens, costUsd: null };
}

function planResult(result: CellResult, { case: one, sample }: BenchJob): PlanResult {
  const stored = result.output as unknown as PlanSample;
  return {
    caseId: one.id,
    sample,
    route: one.stratum,
    host: one.host ?? null,
    tags: one.tags,
    outcome: stored.outcome,
    repairs: stored.repairs,
    status: result.status,
    cause: result.error?.code ?? null,
    problem: stored.problem,
    ms: stored.ms,
    firstMs: stored.firstMs,
    tokens: stored.tokens,
    claimedOk: stored.claimedOk,
    selected: stored.selected,
    attempts: stored.attempts,
    violations: stored.violations,
    caseDigest: one.digest,
    cellKey: result.cellKey,
    plan: stored.plan,
  };
}

function logLine(sample: PlanResult, result: CellResult, bench: string) {
  const { caseId, route, outcome, repairs, ms } = sample;
  return {
    kind: "planbench" as const,
    skillId: result.skillId,
    bench,
    caseId,
    cellKey: result.cellKey,
    verdict: result.status,
    cause: sample.cause,
    sample: sample.sample,
    route,
    outcome,
    repairs,
    ms,
    ts: result.finishedAt,
  };
}
