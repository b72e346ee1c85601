import { randomUUID } from "node:crypto";
import { type Subject, subjectName } from "../../contract/cell.ts";
import type { LevelFold, LogLine, RunInput, SuiteRun } from "../../contract/level.ts";
import type { Outcome } from "../../contract/outcome.ts";
import { mockModelId, strata } from "../../contract/planbench-file.ts";
import type { PlanDetails, PlanEvidence } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Score } from "../../contract/scorer.ts";
import type { Telemetry, TelemetryContext } from "../../contract/telemetry.ts";
import { planCells } from "../../engine/plan-cells.ts";
import type { SuiteContext } from "../../engine/prepared-run.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shortenWords } from "../../shared/text/visible-text.ts";
import { type BenchCell, type BenchSubject, benchSubjects, type PlannedBenchCase } from "./cells.ts";
import { planFold, roundTable } from "./fold.ts";
import { planbenchLevel, tableMetrics } from "./level.ts";
import { sampleSource } from "./open-target.ts";
import { planResult } from "./plan-result.ts";
import type { ReadyBench } from "./prepare.ts";
import { reportingExecutor } from "./reporting-executor.ts";
import { runSample } from "./sources/run-sample.ts";
import { scoreSample } from "./sources/score-sample.ts";

/** What the suite needs of a bench that is ready. */
export type SuiteBench = Pick<
  ReadyBench,
  | "bench"
  | "cases"
  | "samples"
  | "maxRepairs"
  | "executorIdentity"
  | "target"
  | "checkFor"
  | "executor"
  | "hosts"
  | "containment"
  | "isolation"
  | "redact"
  | "seed"
> & {
  /** What every sample rests on. */
  inputs: readonly RunInput[];
  isPartial: boolean;
  /** Whether the model that makes the plans is replayed. */
  replaysModels: boolean;
  /** Whether reports hold the last output of every sample. */
  includePlan: boolean;
  /** Gets the name with which a model identified itself. */
  onAnswer(model: string): void;
};

/** The samples of a bench as a suite of the engine. */
export function planbenchSuite(
  ready: SuiteBench,
  context: SuiteContext,
): SuiteRun<PlannedBenchCase, BenchSubject> {
  const { bench, cases, samples, target, isolation } = ready;
  const { id, timeout_ms: deadlineMs } = bench.file;
  const subjects = benchSubjects(cases, target.id);
  const { level, backend, network, unproven } = ready.containment;
  const stamp = isolation && { level, backend, network, unproven };
  const sessions = sampleSessions(context);
  return {
    level: planbenchLevel,
    id,
    version: "",
    digest: sha256(
      canonicalJson([
        bench.file,
        bench.schema.digest,
        ready.executorIdentity,
        cases.map((one) => [one.id, one.digest]),
      ]),
    ),
    subjects,
    casesOf: (subject) => subject.cases,
    trials: samples,
    cells: planCells({
      level: planbenchLevel,
      id,
      subjects,
      casesOf: (subject) => subject.cases,
      trialsOf: () => samples,
      deadlineOf: () => deadlineMs,
      keyOf: (_, { identity }, sample) => sha256(canonicalJson({ of: identity, sample })),
    }),
    retries: 0,
    replaysModels: ready.replaysModels,
    scoring: { scoringMethod: "mean", k: 1, maxLatencyMs: deadlineMs },
    execute: (cell, signal) => execute(cell, ready, { ...context, session: sessions.begin(cell) }, signal),
    score: ({ output }, { case: { loaded } }) => score(output as PlanEvidence, ready, loaded),
    detailsOf: ({ case: { loaded } }): PlanDetails => ({
      route: loaded.stratum,
      host: loaded.host ?? null,
      tags: loaded.tags,
      outcome: "error",
      repairs: null,
      violations: [],
    }),
    inputsOf: ({ case: { chosen } }) =>
      chosen.tool === null ? ready.inputs : [...ready.inputs, chosen.tool.input],
    stampOf: () => stamp,
    keepsWholeOutput: true,
    fold: benchFold(ready, subjects),
    ended: sessions.end,
    lineOf: (result) => sampleLine(result, id),
    isPartial: ready.isPartial,
    // Cases that contain their plans test the bench and have no history.
    isRecorded: ({ arm }) => arm !== "fixed",
    ...(!ready.includePlan && { shown: withoutPlan }),
    fileOf: () => bench.path,
  };
}

interface Session {
  /** Unique per sample. */
  id: string;
  context: TelemetryContext;
}

/** The sessions of running samples; emits telemetry when one ends. */
function sampleSessions({ run, telemetry }: Pick<SuiteContext, "run" | "telemetry">) {
  const open = new Map<string, Session>();
  return {
    begin({ key, case: { loaded } }: BenchCell): Session {
      const id = randomUUID();
      const context = {
        run_id: run.id,
        cell_id: key,
        case_id: loaded.id,
        session_id: id,
        ...(loaded.host !== undefined && { host_app: loaded.host }),
      };
      const session = { id, context };
      open.set(key, session);
      return session;
    },
    end(result: CellResult): void {
      const session = open.get(result.key);
      if (session === undefined) return;
      open.delete(result.key);
      const { outcome, repairs, ms, tokens, route } = planResult(result);
      const payload = { outcome, repairs, ms, tokens: tokens?.total ?? null, route };
      telemetry.emit("planbench.sample_done", payload, session.context);
    },
  };
}

/** Collects outputs and repairs; decides nothing. */
async function execute(
  { case: { loaded, chosen }, case: one, trial }: BenchCell,
  ready: SuiteBench,
  { clock, telemetry, session }: Pick<SuiteContext, "clock"> & { telemetry: Telemetry; session: Session },
  signal: AbortSignal,
): Promise<Outcome> {
  const began = clock.monotonic();
  const { bench, maxRepairs, checkFor, executor, redact } = ready;
  const { selected, skills } = chosen;
  const evidence = await runSample(
    {
      source: sampleSource({ case: one, sample: trial }, ready, session.id),
      check: checkFor(loaded),
      executor: executor && reportingExecutor(executor, telemetry, { context: session.context, redact }),
      maxRepairs,
      timeoutMs: bench.file.timeout_ms,
      isTimed: !ready.replaysModels || loaded.source === "model",
      skills: { selected, skills },
    },
    signal,
  );
  const latencyMs = clock.monotonic() - began;
  const { tokens } = evidence;
  const usage = tokens && {
    promptTokens: null,
    completionTokens: null,
    totalTokens: tokens.total,
    costUsd: null,
  };
  return { status: "answered", output: evidence, latencyMs, ...(usage !== null && { usage }) };
}

const maxNamedViolations = 3;
const maxReasonChars = 400;

/** Scores the evidence. The last output is checked again. */
function score(
  evidence: PlanEvidence,
  { checkFor, maxRepairs, executor }: Pick<SuiteBench, "checkFor" | "maxRepairs" | "executor">,
  loaded: PlannedBenchCase["loaded"],
): Score {
  const verdict = scoreSample(evidence, {
    check: checkFor(loaded),
    maxRepairs,
    hasExecutor: executor !== null,
  });
  const { outcome, repairs, violations, fault } = verdict;
  const details = { outcome, repairs, violations };
  if (fault !== null) return { score: null, ...fault, details };
  return {
    score: outcome === "ok" ? 1 : 0,
    passed: outcome === "ok",
    reason: violations.length === 0 ? null : violationWords(violations),
    details,
  };
}

/** The first of them in a line each. */
function violationWords(violations: PlanDetails["violations"]): string {
  const more = violations.length - maxNamedViolations;
  return [
    ...violations
      .slice(0, maxNamedViolations)
      .map(({ pointer, reason }) => shortenWords(`${pointer} ${reason}`.trim(), maxReasonChars)),
    ...(more > 0 ? [`and ${pluralize(more, "more violation")}`] : []),
  ].join("\n");
}

function benchFold(
  { cases, samples, executor, target, onAnswer }: SuiteBench,
  subjects: readonly BenchSubject[],
): LevelFold {
  const fold = planFold({
    cases: cases.map(({ id, loaded }) => ({ caseId: id, stratum: loaded.stratum })),
    samples,
    hasExecutor: executor !== null,
    target: target.type,
  });
  const isScripted = ({ arm }: Subject) => target.id === mockModelId || arm === "fixed";
  return {
    add(cell) {
      const result = planResult(cell);
      fold.add(result);
      for (const { answeredBy } of result.attempts) if (answeredBy !== null) onAnswer(answeredBy);
    },
    leaveOut(_subject, _suite, caseIds) {
      for (const caseId of caseIds) fold.leaveOut(caseId);
    },
    figures(subject) {
      const table = fold.table(strata.find((route) => route === subject.arm) ?? "routed");
      if (table === null) throw new Error(`${subjectName(subject)} is none of ${subjects.map(subjectName)}`);
      return {
        metrics: tableMetrics(table),
        details: { table: roundTable(table) as unknown as Json, isScripted: isScripted(subject) },
      };
    },
  };
}

/** A cell as reports show it without `--include-plan`. */
function withoutPlan(result: CellResult): CellResult {
  const evidence = result.output as PlanEvidence | null;
  return evidence === null
    ? result
    : { ...result, output: { ...evidence, output: null, isOutputCut: false } };
}

function sampleLine(result: CellResult, bench: string): LogLine {
  const { caseId, sample, route, outcome, repairs, ms, cause } = planResult(result);
  return {
    kind: "planbench",
    skillId: subjectName(result),
    bench,
    caseId,
    cellKey: result.key,
    verdict: result.status,
    cause,
    sample,
    route,
    outcome,
    repairs,
    ms,
    ts: result.finishedAt,
  };
}
