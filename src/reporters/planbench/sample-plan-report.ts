import { groupedBy } from "../../base/grouped-by.ts";
import { planFailures } from "../../contract/plan-failures.ts";
import type { PlanReport, PlanResult, PlanResultReader, PlanTable } from "../../contract/planbench-report.ts";
import { noTitle, sampleAttempt, samplePlanResult, wrongAnchor } from "./sample-plan-result.ts";

/** The table of a stratum: the reference's own example, but for what is given. */
export function samplePlanTable(given: Partial<PlanTable> = {}): PlanTable {
  return {
    route: "routed",
    planned: 90,
    n: 90,
    ok: 81,
    fail: 9,
    error: 0,
    ok0Rate: 0.7,
    successRate: 0.9,
    intervals: {
      ok0Rate: { lower: 0.5778, upper: 0.8111, level: 0.95, method: "bootstrap", seed: 0 },
      successRate: { lower: 0.8222, upper: 0.9667, level: 0.95, method: "bootstrap", seed: 0 },
    },
    buckets: { "0": 63, "1": 12, "2": 4, "3": 2, "4": 0, "5": 0, fail: 9 },
    meanRepairs: 0.321,
    firstMs: { avg: 1212.4, p95: 2140 },
    sampleMs: { avg: 1890.25, p95: 5312.5 },
    tokens: { first: 412.4, repairs: 96.25, total: 508.65, known: 88 },
    coverage: 1,
    hitRate: 0.9667,
    topFailures: [
      { reason: "/actions/*/anchor must be equal to constant", count: 6 },
      { reason: "/actions/*/title is required", count: 4 },
    ],
    ...given,
  };
}

/** A report over these results: what passed is counted, the rest is made up, but for what is given. */
export function samplePlanReport(
  results: readonly PlanResult[],
  given: Partial<Omit<PlanReport, "run">> & { run?: Partial<PlanReport["run"]> } = {},
): PlanReport {
  const counted = results.filter(({ route }) => route !== "fixed");
  return {
    schemaVersion: 1,
    command: "planbench",
    tool: { name: "eval-skills", version: "0.0.0-test" },
    passed: counted.filter(({ outcome }) => outcome === "ok").length,
    total: counted.length,
    gate: { passed: true, checks: [] },
    summary: planTables(results),
    warnings: [],
    files: ["reports/planbench-result.json", "reports/planbench-result.html"],
    exitCode: 0,
    ...given,
    run: {
      id: "r-20260203-123456-abcd",
      startedAt: "2026-02-03T12:34:56.789Z",
      finishedAt: "2026-02-03T12:37:02.100Z",
      bench: "plans",
      model: "openai/gpt-5-mini",
      answeredBy: ["gpt-5-mini-2026-01-15"],
      parameters: { temperature: 0 },
      samples: 2,
      maxRepairs: 5,
      seed: 0,
      schema: { name: "ah32.plan.v1", digest: "sha256:5f1c" },
      skills: { "doc-formatter": "sha256:77aa" },
      concurrency: 4,
      store: "./eval-skills.db",
      isolation: null,
      ...given.run,
    },
  };
}

function planTables(results: readonly PlanResult[]): PlanTable[] {
  return (["routed", "forced", "fixed"] as const).flatMap((route) => tableOf(results, route));
}

/** Counts as the results have them; rates without interval, times of the slowest. */
function tableOf(all: readonly PlanResult[], route: PlanTable["route"]): PlanTable[] {
  const results = all.filter((result) => result.route === route);
  if (results.length === 0) return [];
  const count = (isCounted: (result: PlanResult) => boolean) => results.filter(isCounted).length;
  const ok = count(({ outcome }) => outcome === "ok");
  const fail = count(({ outcome }) => outcome === "fail");
  const n = ok + fail;
  const repaired = (least: number, most: number) =>
    count(({ repairs }) => repairs !== null && repairs >= least && repairs <= most);
  const slowest = n === 0 ? null : Math.max(...results.map(({ ms }) => ms));
  const { hitRate, ...table } = samplePlanTable();
  return [
    {
      ...table,
      route,
      planned: results.length,
      n,
      ok,
      fail,
      error: results.length - n,
      ok0Rate: n === 0 ? null : repaired(0, 0) / n,
      successRate: n === 0 ? null : ok / n,
      intervals: { ok0Rate: null, successRate: null },
      buckets: {
        "0": repaired(0, 0),
        "1": repaired(1, 1),
        "2": repaired(2, 2),
        "3": repaired(3, 3),
        "4": repaired(4, 4),
        "5": repaired(5, Number.POSITIVE_INFINITY),
        fail,
      },
      meanRepairs: ok === 0 ? null : results.reduce((sum, { repairs }) => sum + (repairs ?? 0), 0) / ok,
      firstMs: { avg: slowest, p95: slowest },
      sampleMs: { avg: slowest, p95: slowest },
      tokens: {
        first: n === 0 ? null : 412,
        repairs: n === 0 ? null : 96.25,
        total: n === 0 ? null : 508.25,
        known: n,
      },
      coverage: n / results.length,
      ...(route === "routed" && { hitRate: hitRate ?? null }),
      topFailures: [...groupedBy(results.flatMap(planFailures), (reason) => reason)].map(
        ([reason, same]) => ({ reason, count: same.length }),
      ),
    },
  ];
}

export function planReader(results: readonly PlanResult[]): PlanResultReader {
  return () => results;
}

const repaired = [sampleAttempt({ violations: [wrongAnchor] }), sampleAttempt({ ms: 610, tokens: 520 })];
const failed = [wrongAnchor, { ...wrongAnchor, pointer: "/actions/0/anchor" }, noTitle];
const forced = { route: "forced" as const, caseId: "et-formula", host: "et", tags: ["formula"] };

/** Samples of every kind: ok at once, repaired, failed, past the deadline, without an outcome, forced, fixed. */
export const fullPlanResults: readonly PlanResult[] = [
  samplePlanResult(),
  samplePlanResult({ sample: 2, attempts: repaired }),
  samplePlanResult({
    caseId: "wps-table",
    outcome: "fail",
    attempts: [sampleAttempt({ violations: [noTitle] }), sampleAttempt({ violations: failed })],
    plan: { schema_version: "ah32.plan.v1", actions: [{ id: "a1", op: "insert_text" }] },
  }),
  samplePlanResult({ caseId: "wps-table", sample: 2, outcome: "error", attempts: [] }),
  samplePlanResult({
    caseId: "审阅-报告",
    outcome: "fail",
    attempts: [],
    ms: 300_000,
    cause: "deadline",
    problem: "the deadline of 300000 ms passed",
    selected: [],
  }),
  samplePlanResult({ caseId: "审阅-报告", sample: 2, attempts: repaired }),
  samplePlanResult({ ...forced, attempts: [sampleAttempt({ executed: true })] }),
  samplePlanResult({
    ...forced,
    sample: 2,
    claimedOk: true,
    outcome: "fail",
    attempts: [
      sampleAttempt({ executed: false, violations: [{ pointer: "", reason: "no such cell: ZZ99" }] }),
    ],
  }),
  samplePlanResult({ caseId: "harness", route: "fixed", host: null, tags: [] }),
];

const interval = { level: 0.95, method: "bootstrap", seed: 0 } as const;
export const fullPlanReport: PlanReport = samplePlanReport(fullPlanResults, {
  gate: {
    passed: null,
    checks: [
      { gate: "min_ok0", route: "routed", on: "lower", asked: 0.6, actual: 0.0577, passed: null },
      { gate: "min_ok0", route: "forced", on: "lower", asked: 0.6, actual: null, passed: null },
      { gate: "min_success", route: "forced", on: "point", asked: 0.5, actual: 0.5, passed: true },
      { gate: "max_p95_ms", route: "forced", on: "point", asked: 500, actual: 840, passed: false },
    ],
  },
  summary: planTables(fullPlanResults).map((table) => ({
    ...table,
    ...(table.route === "routed" && {
      intervals: {
        ok0Rate: { lower: 0.0577, upper: 0.5123, ...interval },
        successRate: { lower: 0.25, upper: 1, ...interval },
      },
      hitRate: 0.6667,
    }),
    ...(table.route === "forced" && { execRate: 0.5 }),
  })),
  warnings: ["bench plans has no case for host wpp"],
  exitCode: 3,
});

export const readFullPlanResults: PlanResultReader = planReader(fullPlanResults);

/** A report that says this text wherever a stranger has a word. */
export function hostilePlanReport(text: string): { report: PlanReport; results: PlanResultReader } {
  const violation = { pointer: `/${text}`, reason: text };
  const hostile: Partial<PlanResult> = {
    caseId: text,
    host: text,
    tags: [text],
    selected: [text],
    caseDigest: text,
    cellKey: text,
    plan: { [text]: text },
    attempts: [sampleAttempt({ answeredBy: text, violations: [violation] })],
  };
  const all = [
    samplePlanResult({ ...hostile, outcome: "fail", violations: [violation] }),
    samplePlanResult({ ...hostile, sample: 2, outcome: "error", problem: text }),
    samplePlanResult({ ...hostile, sample: 3, route: "forced" }),
  ];
  const report = samplePlanReport(all, {
    tool: { name: "eval-skills", version: text },
    summary: [samplePlanTable({ topFailures: [{ reason: text, count: 1 }] })],
    warnings: [text],
    files: [text],
    exitCode: 3,
    run: {
      id: text,
      bench: text,
      model: text,
      answeredBy: [text],
      parameters: { [text]: text },
      schema: { name: text, digest: text },
      skills: { [text]: text },
      store: text,
      isolation: { level: text, backend: text, network: [text], unproven: [text] },
    },
  });
  return { report, results: planReader(all) };
}
