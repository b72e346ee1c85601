import type { ReportFile, SubjectReport } from "../src/contract/document.ts";
import { type Stratum, strata, type TargetType } from "../src/contract/planbench-file.ts";
import type { PlanDetails, PlanEvidence, PlanResult, PlanTable } from "../src/contract/planbench-report.ts";
import type { CellResult } from "../src/contract/result.ts";
import { planFold, roundTable } from "../src/levels/planbench/fold.ts";
import { tableMetrics } from "../src/levels/planbench/level.ts";
import type { Json } from "../src/shared/json/json.ts";
import { sampleResult } from "../src/store/samples.ts";
import { reportFile } from "./sample-report-file.ts";

interface BenchFacts {
  bench: string;
  model: string;
  target: TargetType;
  answeredBy: string[];
  parameters: Json;
  maxRepairs: number;
  concurrency: number;
}

const defaultFacts: BenchFacts = {
  bench: "plans",
  model: "openai/gpt-5-mini",
  target: "model",
  answeredBy: ["gpt-5-mini-2026-01-15"],
  parameters: { temperature: 0 },
  maxRepairs: 5,
  concurrency: 4,
};

/** The document of a run of `planbench` whose samples came out like this; its tables are made of them as in a run. */
export function planDocument(samples: readonly PlanResult[], given: Partial<BenchFacts> = {}): ReportFile {
  const facts = { ...defaultFacts, ...given };
  const { bench, model, answeredBy, parameters, maxRepairs, concurrency } = facts;
  const routes = new Map(samples.map(({ caseId, route }) => [caseId, route]));
  const cases = [...routes].map(([caseId, stratum]) => ({ caseId, stratum }));
  const trials = Math.max(1, ...samples.map(({ sample }) => sample));
  const fold = planFold({ cases, samples: trials, hasExecutor: false, target: facts.target });
  for (const sample of samples) fold.add(sample);
  const tables = strata.flatMap((route) => fold.table(route) ?? []).map(roundTable);
  return reportFile({
    run: {
      command: "planbench",
      trials,
      concurrency,
      models: [model],
      conditions: {
        model,
        [`model behind ${model}`]: answeredBy.join(", ") || null,
        parameters: JSON.stringify(parameters),
        schema: "sha256:5f1c",
        "limit of repairs": String(maxRepairs),
      },
      settings: {
        ...{ bench, model, answeredBy, parameters, maxRepairs, samples: trials, includePlan: false },
        ...{ schema: { name: "ah32.plan.v1", digest: "sha256:5f1c" }, skills: {}, isolation: null },
      },
    },
    subjects: tables.map((table) => ({
      ...named(facts, table.route),
      ...{ level: "planbench", skillVersion: "", skillDigest: "sha256:skills", trials, byTag: {} },
      ...makeFigures(table, model),
    })),
    cases: cases.map(({ caseId: id }) => ({
      ...{ suite: bench, level: "planbench", skillId: null, id, digest: `sha256:${id}`, title: null },
      ...{ input: "", expected: null, tags: [], weight: 1, isShortened: false },
    })),
    cells: samples.map((sample) => planCell(sample, named(facts, sample.route))),
  });
}

/** The subject that the cases of a route belong to. */
function named({ bench, model }: BenchFacts, route: Stratum) {
  return { suite: bench, skillId: null, model: route === "fixed" ? null : model, arm: route };
}

function makeFigures(table: PlanTable, model: string): Pick<SubjectReport, "counts" | "metrics" | "details"> {
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
    details: { table: table as unknown as Json, isScripted: model === "mock" || route === "fixed" },
  };
}

function planCell(sample: PlanResult, subject: Partial<CellResult>): CellResult {
  const { route, host, tags, outcome, repairs, violations, cause, problem } = sample;
  const { attempts, firstMs, ms, tokens, selected } = sample;
  const details: PlanDetails = { route, host, tags, outcome, repairs, violations };
  const evidence: PlanEvidence = {
    ...{ attempts, firstMs, ms, tokens, selected, skills: {}, events: {} },
    ...{ output: null, isOutputCut: false, problem: null, executionError: null },
    ...{ overdueMs: null, fault: null, service: null },
  };
  return sampleResult({
    ...subject,
    level: "planbench",
    caseId: sample.caseId,
    caseDigest: sample.caseDigest,
    trial: sample.sample,
    status: sample.status,
    cause,
    reason: cause === null ? null : problem,
    latencyMs: ms,
    output: evidence,
    details,
  });
}
