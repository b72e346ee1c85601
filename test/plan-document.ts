import type { ReportFile, SubjectReport } from "../src/contract/document.ts";
import type { Json } from "../src/contract/json.ts";
import type {
  PlanDetails,
  PlanEvidence,
  PlanGate,
  PlanReport,
  PlanResult,
  PlanTable,
} from "../src/contract/planbench-report.ts";
import type { CellResult } from "../src/contract/result.ts";
import { sampleResult } from "../src/contract/sample-result.ts";
import { tableMetrics } from "../src/run/planbench/planbench-level.ts";

/** The document of a run whose tables, gates and samples are these. */
export function planDocument(report: PlanReport, results: readonly PlanResult[]): ReportFile {
  const { run } = report;
  const { bench, model, answeredBy, parameters, samples, maxRepairs, schema, skills, isolation } = run;
  const subject = (route: PlanTable["route"]) => ({
    suite: bench,
    skillId: null,
    model: route === "fixed" ? null : model,
    arm: route,
  });
  return {
    schemaVersion: 2,
    tool: report.tool,
    run: {
      id: run.id,
      command: "planbench",
      startedAt: run.startedAt,
      finishedAt: run.finishedAt,
      trials: samples,
      concurrency: run.concurrency,
      seed: run.seed,
      planDigest: "sha256:plan",
      containment: { level: "process", backend: null, network: "open", unproven: [] },
      store: run.store,
      models: [model],
      agents: [],
      grants: [],
      machine: null,
      git: null,
      shard: null,
      conditions: {
        model,
        [`model behind ${model}`]: answeredBy.join(", ") || null,
        parameters: JSON.stringify(parameters),
        schema: schema.digest,
        "limit of repairs": String(maxRepairs),
      },
      settings: {
        ...{ bench, model, answeredBy, parameters, samples, maxRepairs, schema, skills, isolation },
        includePlan: results.some(({ plan }) => plan !== undefined),
      },
    },
    suites: [
      { id: bench, level: "planbench", version: "", digest: "sha256:bench", cases: caseIds(results).length },
    ],
    subjects: report.summary.map((table) => ({
      ...subject(table.route),
      level: "planbench",
      skillVersion: "",
      skillDigest: "sha256:skills",
      trials: samples,
      ...subjectFigures(table, model),
    })),
    gates: report.gate.checks.map(({ gate, route, on, asked: threshold, actual: value, passed }) => ({
      subject: subject(route),
      level: "planbench",
      ...gatedFigures[gate],
      on,
      threshold,
      value,
      passed,
      enforced: true,
    })),
    cases: caseIds(results).map((id) => ({
      ...{ suite: bench, level: "planbench", skillId: null, id, digest: `sha256:${id}`, title: null },
      ...{ input: "", expected: null, tags: [], weight: 1, isShortened: false },
    })),
    judges: [],
    skipped: [],
    passed: report.passed,
    total: report.total,
    warnings: report.warnings,
    files: report.files,
    exitCode: report.exitCode,
    cells: results.map((result) => planCell(result, subject(result.route))),
  };
}

const gatedFigures: Record<PlanGate["gate"], { metric: string; op: ">=" | "<=" }> = {
  min_ok0: { metric: "ok0Rate", op: ">=" },
  min_success: { metric: "successRate", op: ">=" },
  max_p95_ms: { metric: "sampleP95Ms", op: "<=" },
};

function subjectFigures(
  table: PlanTable,
  model: string,
): Pick<SubjectReport, "counts" | "metrics" | "byTag" | "details"> {
  const { ok: pass, fail, error: invalid, n: total, sampleMs, route } = table;
  const figures = {
    completionRate: { value: table.successRate },
    latencyP95Ms: { value: sampleMs.p95 },
    ...tableMetrics(table),
  };
  const metrics = Object.entries(figures).map(
    ([name, { value, ...rest }]) =>
      [name, { value, interval: null, n: null, better: "up", ...rest }] as const,
  );
  return {
    counts: { total, pass, fail, error: 0, timeout: 0, invalid },
    metrics: Object.fromEntries(metrics) as SubjectReport["metrics"],
    byTag: {},
    details: { table: table as unknown as Json, isScripted: model === "mock" || route === "fixed" },
  };
}

function caseIds(results: readonly PlanResult[]): string[] {
  return [...new Set(results.map(({ caseId }) => caseId))];
}

function planCell(result: PlanResult, subject: Partial<CellResult>): CellResult {
  const { route, host, tags, outcome, repairs, violations, plan, cause, problem, claimedOk } = result;
  const details: PlanDetails = { route, host, tags, outcome, repairs, violations };
  const evidence: PlanEvidence = {
    attempts: result.attempts,
    output: plan === undefined ? null : JSON.stringify(plan),
    isOutputCut: false,
    problem: null,
    executionError: null,
    overdueMs: null,
    fault: null,
    service: claimedOk === null ? null : { claimedOk, repairs },
    events: {},
    firstMs: result.firstMs,
    ms: result.ms,
    tokens: result.tokens,
    selected: result.selected,
    skills: {},
  };
  return sampleResult({
    ...subject,
    key: result.cellKey,
    level: "planbench",
    caseId: result.caseId,
    caseDigest: result.caseDigest,
    trial: result.sample,
    status: result.status,
    cause,
    reason: cause === null ? null : problem,
    latencyMs: result.ms,
    output: evidence,
    details,
  });
}
