import { randomUUID } from "node:crypto";
import { type Subject, subjectName } from "../../contract/cell.ts";
import type { LevelFold, LogLine, SuiteRun } from "../../contract/level.ts";
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
import { countOf } from "../../shared/text/phrases.ts";
import { shortenWords } from "../../shared/text/visible-text.ts";
import { type BenchCell, type BenchSubject, benchSubjects, type PlannedBenchCase } from "./cells.ts";
import { planFold, roundTable } from "./fold.ts";
import { planbenchLevel, tableMetrics } from "./level.ts";
import { sourceOf } from "./open-target.ts";
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
  | "checkOf"
  | "executor"
  | "hosts"
  | "containment"
  | "isolation"
  | "redact"
  | "seed"
> & {
  isPartial: boolean;
  /** Whether reports hold the last output of every sample. */
  includePlan: boolean;
  /** Takes the name of a model as it called itself. */
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
    stampOf: () => stamp,
    keepsWholeOutput: true,
    fold: benchFold(ready, subjects),
    ended: sessions.end,
    lineOf: (result) => sampleLine(result, id),
    isPartial: ready.isPartial,
    // Cases that bring their plans along test the bench: they are nobody's record.
    isRecorded: ({ arm }) => arm !== "fixed",
    ...(!ready.includePlan && { shown: withoutPlan }),
    fileOf: () => bench.path,
  };
}

interface Session {
  /** A name that no other sample has. */
  id: string;
  context: TelemetryContext;
}

/** The sessions of samples under way, and what telemetry says when one ended. */
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

/** Asks for outputs and repairs of them, and decides nothing. */
async function execute(
  { case: { loaded, chosen }, case: one, trial }: BenchCell,
  ready: SuiteBench,
  { clock, telemetry, session }: Pick<SuiteContext, "clock"> & { telemetry: Telemetry; session: Session },
  signal: AbortSignal,
): Promise<Outcome> {
  const { bench, maxRepairs, checkOf, executor, redact } = ready;
  const { selected, skills } = chosen;
  const evidence = await runSample(
    {
      source: sourceOf({ case: one, sample: trial }, ready, session.id),
      check: checkOf(loaded),
      executor: executor && reportingExecutor(executor, telemetry, { context: session.context, redact }),
      maxRepairs,
      timeoutMs: bench.file.timeout_ms,
      clock,
      skills: { selected, skills },
    },
    signal,
  );
  const { ms: latencyMs, tokens } = evidence;
  const usage = tokens && {
    promptTokens: null,
    completionTokens: null,
    totalTokens: tokens.total,
    costUsd: null,
  };
  return { status: "answered", output: evidence, latencyMs, ...(usage !== null && { usage }) };
}

const namedViolations = 3;
const shownReason = 400;

/** Decides what the evidence comes to: the last output is checked anew. */
function score(
  evidence: PlanEvidence,
  { checkOf, maxRepairs, executor }: Pick<SuiteBench, "checkOf" | "maxRepairs" | "executor">,
  loaded: PlannedBenchCase["loaded"],
): Score {
  const verdict = scoreSample(evidence, {
    check: checkOf(loaded),
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
  const more = violations.length - namedViolations;
  return [
    ...violations
      .slice(0, namedViolations)
      .map(({ pointer, reason }) => shortenWords(`${pointer} ${reason}`.trim(), shownReason)),
    ...(more > 0 ? [`and ${countOf(more, "more violation")}`] : []),
  ].join("\n");
}

function benchFold(
  { cases, samples, seed, executor, target, onAnswer }: SuiteBench,
  subjects: readonly BenchSubject[],
): LevelFold {
  const fold = planFold({
    cases: cases.map(({ id, loaded }) => ({ caseId: id, stratum: loaded.stratum })),
    samples,
    seed,
    hasExecutor: executor !== null,
  });
  const isScripted = ({ arm }: Subject) => target.id === mockModelId || arm === "fixed";
  let unknown = 0;
  return {
    add(cell) {
      const result = planResult(cell);
      fold.add(result);
      if (result.outcome === "error") unknown++;
      for (const { answeredBy } of result.attempts) if (answeredBy !== null) onAnswer(answeredBy);
    },
    figures(subject) {
      const table = fold.table(strata.find((route) => route === subject.arm) ?? "routed");
      if (table === null) throw new Error(`${subjectName(subject)} is none of ${subjects.map(subjectName)}`);
      return {
        metrics: tableMetrics(table),
        details: { table: roundTable(table) as unknown as Json, isScripted: isScripted(subject) },
      };
    },
    unknown: () => unknown,
  };
}

/** A cell as reports show it where nobody asked for the outputs. */
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
