import * as z from "zod";
import { Judgment } from "../contract/judge.ts";
import {
  ConfusionRow,
  JudgeName,
  QueryLine,
  QuerySummary,
  TriggerGateResult,
  TriggeringEntry,
  TriggerMetrics,
  TriggerReport,
  TriggerResult,
} from "../contract/trigger-report.ts";

// As with reports of eval: what a reader cannot do without is required, the rest may be missing.
const text = z.string().default("");
const rate = z.number().nullable().default(null);
const count = z.number().int().min(0).default(0);

const JudgeInFile = JudgeName.extend({
  model: JudgeName.shape.model.default(null),
  prompt: JudgeName.shape.prompt.default(null),
});

const effort = {
  repeat: count,
  ms: z.number().default(0),
  tokensIn: rate,
  tokensOut: rate,
  usd: rate,
  cached: z.boolean().default(false),
};
const [Decided, Unusable, Failed] = Judgment.options;
const JudgmentInFile = z.discriminatedUnion("outcome", [
  Decided.extend({ ...effort, reason: text }),
  Unusable.extend({
    ...effort,
    why: text,
    raw: text,
    rawSha256: text,
    lenientDecision: Unusable.shape.lenientDecision.default(null),
  }),
  // Codes are any text: a later version may know more of them.
  Failed.extend({ ...effort, code: text, message: text }),
]);

const summary = {
  belongsTo: QuerySummary.shape.belongsTo.default(null),
  tags: QuerySummary.shape.tags.default([]),
  cause: QuerySummary.shape.cause.default(null),
  repeats: count,
  yes: count,
  no: count,
  invalid: count,
  error: count,
  rate,
  interval: QuerySummary.shape.interval.default(null),
  flips: z.boolean().default(false),
  unreplicated: z.boolean().default(false),
  reason: QuerySummary.shape.reason.default(null),
};
const QueryInFile = QueryLine.extend({
  ...summary,
  skillId: text,
  judge: JudgeInFile.optional(),
  judgments: z.array(JudgmentInFile).default([]),
  seed: z.number().default(0),
  skillDigest: text,
  cardSha256: text,
  catalogSha256: text,
  ts: text,
});

const bounds = TriggerMetrics.shape.intervals.shape.recall.default(null);
const MetricsInFile = TriggerMetrics.extend({
  tp: count,
  fp: count,
  tn: count,
  fn: count,
  ties: count,
  asked: count,
  precision: rate,
  recall: rate,
  specificity: rate,
  f1: rate,
  accuracy: rate,
  balancedAccuracy: rate,
  mcc: rate,
  coverage: rate,
  intervals: TriggerMetrics.shape.intervals
    .extend({ precision: bounds, recall: bounds, specificity: bounds })
    .prefault({}),
});
const AllMetricsInFile = z.object({
  query: MetricsInFile.prefault({}),
  judgment: MetricsInFile.prefault({}),
  baselines: z
    .object({
      alwaysYes: MetricsInFile.prefault({}),
      alwaysNo: MetricsInFile.prefault({}),
      lexical: MetricsInFile.nullable().default(null),
    })
    .prefault({}),
});

const GateInFile = TriggerGateResult.extend({
  on: TriggerGateResult.shape.on.default("point"),
  below: TriggerGateResult.shape.below.default([]),
  inconclusive: TriggerGateResult.shape.inconclusive.default([]),
});

const ResultInFile = TriggerResult.extend({
  skillDigest: text,
  judge: JudgeInFile,
  skipped: TriggerResult.shape.skipped.default(null),
  repeats: count,
  threshold: z.number().default(0.5),
  passed: count,
  failed: count,
  inconclusive: count,
  metrics: AllMetricsInFile.nullable().default(null),
  confusion: z
    .array(ConfusionRow.extend({ none: count, undecided: count }))
    .nullable()
    .default(null),
  positionBias: TriggerResult.shape.positionBias.default(null),
  invalidRate: rate,
  lenient: z.object({ yes: count, no: count, neither: count }).prefault({}),
  usd: rate,
  tokensIn: rate,
  tokensOut: rate,
  cached: count,
  latency: z.object({ p50Ms: rate, p95Ms: rate }).prefault({}),
  gate: GateInFile.nullable().default(null),
  notes: TriggerResult.shape.notes.default([]),
  queries: z.array(QueryInFile).default([]),
});

/** The document of `trigger`, as it may stand in a file. */
export const TriggerDocument = TriggerReport.extend({
  tool: TriggerReport.shape.tool.extend({ name: z.string() }),
  run: TriggerReport.shape.run.extend({
    startedAt: text,
    finishedAt: text,
    repeats: count,
    threshold: z.number().default(0.5),
    seed: z.number().default(0),
    concurrency: z.number().default(0),
    store: text,
  }),
  gate: GateInFile,
  results: z.array(ResultInFile),
  warnings: TriggerReport.shape.warnings.default([]),
  files: TriggerReport.shape.files.default([]),
  exitCode: TriggerReport.shape.exitCode.default(0),
});

/** What a report of `eval` or `run` says about triggering, as it may stand in a file. */
export const TriggeringInFile = z
  .array(
    TriggeringEntry.extend({
      judge: JudgeInFile,
      skipped: TriggeringEntry.shape.skipped.default(null),
      queries: count,
      passed: count,
      failed: count,
      inconclusive: count,
      metrics: TriggeringEntry.shape.metrics
        .unwrap()
        .extend({ precision: rate, recall: rate, specificity: rate, f1: rate, mcc: rate, coverage: rate })
        .nullable()
        .default(null),
      gate: GateInFile.nullable().optional(),
      results: z.array(QuerySummary.extend(summary)).optional(),
    }),
  )
  .default([]);
