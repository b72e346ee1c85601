import * as z from "zod";
import {
  AgentMetrics,
  AgentReport,
  AgentResult,
  CaseReport,
  CaseSummary,
  CellTallies,
  Check,
  DimensionScore,
  Failure,
  GateResult,
  TriggerScore,
} from "../contract/agent-report.ts";

// As with reports of eval: what a reader cannot do without is required, the rest may be missing.
const text = z.string().default("");
const texts = z.array(z.string()).default([]);
const rate = z.number().nullable().default(null);
const number = z.number().default(0);
const count = z.number().int().min(0).default(0);
const bounds = z.object({ lower: z.number(), upper: z.number() }).nullable().default(null);

const CheckInFile = Check.extend({ exercised: z.boolean().default(true) });
const notApplicable = { status: "not_applicable" as const };
const score = {
  status: DimensionScore.shape.status,
  pass: z.boolean().nullable().default(null),
  checks: z.array(CheckInFile).default([]),
};
const ScoreInFile = z.object(score).prefault(notApplicable);
const TriggerInFile = TriggerScore.extend({
  ...score,
  precision: rate,
  recall: rate,
  selected: texts,
  rejected: texts,
}).prefault(notApplicable);

const FailureInFile = Failure.extend({
  message: text,
  expected: Failure.shape.expected.default(null),
  actual: Failure.shape.actual.default(null),
  events: texts,
  lines: z.array(z.number()).default([]),
});

const TalliesInFile = CellTallies.extend({
  turns: count,
  first_pass: count,
  extracted: count,
  final_valid: count,
  retry_tokens: number,
  tokens: number,
  unknown_usage: count,
  input_tokens: number,
  output_tokens: number,
  cost_usd: rate,
  trigger: CellTallies.shape.trigger.default(null),
}).prefault({});

const StatsInFile = CaseReport.shape.stats
  .extend({
    turns: count,
    tool_calls: count,
    script_runs: count,
    resource_loads: count,
    model_calls: count,
    stop_reason: z.string().nullable().default(null),
    degraded: z.boolean().nullable().default(null),
    isolation: z.string().nullable().default(null),
  })
  .prefault({});

const ResultInFile = AgentResult.extend({
  run_id: z.string().nullable().default(null),
  level: CaseReport.shape.level.default("L1"),
  trial: z.number().int().min(1).default(1),
  model: z.string().default("mock"),
  pass: z.boolean().nullable().default(null),
  no_verdict: z.object({ code: z.string(), message: text }).nullable().default(null),
  scores: z
    .object({
      trigger: TriggerInFile,
      sequence: ScoreInFile,
      disclosure: ScoreInFile,
      security: ScoreInFile,
      budget: ScoreInFile,
      output: ScoreInFile,
      streaming: ScoreInFile,
      unit: z.object(score).optional(),
      rubric: z.object(score).optional(),
      hit: z.object(score).optional(),
      protocol: z.object(score).optional(),
      calls: z.object(score).optional(),
      continuation: z.object(score).optional(),
    })
    .prefault({}),
  failures: z.array(FailureInFile).default([]),
  not_exercised: texts,
  warnings: texts,
  stats: StatsInFile,
  tallies: TalliesInFile,
  quotes: CaseReport.shape.quotes.default({}),
  grader: text,
  case_digest: text,
  cell_key: text,
  tags: texts,
  latency_ms: number,
  run_dir: z.string().nullable().default(null),
  condition: AgentResult.shape.condition.default("with-skills"),
});

const plainRate = { value: rate, numerator: number, denominator: number };
const RateInFile = z.object({ ...plainRate, interval: bounds }).prefault({});
const MetricsInFile = AgentMetrics.extend({
  first_pass_json: RateInFile,
  extracted_rate: RateInFile,
  final_json: RateInFile,
  retry_cost: z.object({ ...plainRate, unknown_calls: count }).prefault({}),
  trigger_precision: RateInFile,
  trigger_recall: RateInFile,
  pass_at_k: AgentMetrics.shape.pass_at_k.default({}),
  pass_hat_k: AgentMetrics.shape.pass_hat_k.default({}),
  cost: z
    .object({
      input_tokens: number,
      output_tokens: number,
      cost_usd: rate,
      latency_p50_ms: rate,
      latency_p95_ms: rate,
    })
    .prefault({}),
  without_verdict: count,
  baseline: AgentMetrics.shape.baseline.default(null),
});

const CaseInFile = CaseSummary.extend({
  suite: text,
  case_digest: text,
  model: z.string().default("mock"),
  pass: z.boolean().nullable().default(null),
  trials: count,
  verdicts: count,
  passed: count,
  pass_rate: rate,
});

/** The document of `agent eval`, as it may stand in a file. */
export const AgentDocument = AgentReport.extend({
  tool: AgentReport.shape.tool.extend({ name: z.string() }),
  suite: text,
  run: AgentReport.shape.run.extend({
    startedAt: text,
    finishedAt: text,
    models: texts,
    seed: number,
    concurrency: number,
    store: text,
    runs_dir: text,
    isolation: AgentReport.shape.run.shape.isolation
      .extend({
        level: z.string().default("unknown"),
        backend: z.string().nullable().default(null),
        network: AgentReport.shape.run.shape.isolation.shape.network.default("unknown"),
        unproven: texts,
      })
      .prefault({}),
  }),
  totals: AgentReport.shape.totals.extend({ skipped: count }),
  pass_rate: AgentReport.shape.pass_rate
    .extend({
      value: rate,
      interval: bounds,
      method: AgentReport.shape.pass_rate.shape.method.default("wilson"),
    })
    .prefault({}),
  metrics: MetricsInFile.nullable().default(null),
  gates: z.array(GateResult.extend({ on: GateResult.shape.on.default("point"), actual: rate })).default([]),
  cases: z.array(CaseInFile).default([]),
  skipped: AgentReport.shape.skipped.default([]),
  warnings: texts,
  files: texts,
  exitCode: AgentReport.shape.exitCode.default(0),
  results: z.array(ResultInFile),
});
