import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";
import { caseLevels, dimensions } from "./agent-case.ts";
import { ConversationRecord } from "./conversation.ts";
import { Interval } from "./document.ts";

const count = z.number().int().min(0);
const rate = z.number().nullable();
const bounds = z.object({ lower: z.number(), upper: z.number() }).nullable();

/** One thing that was looked at. */
export const Check = z.object({
  name: z.string(),
  status: z.enum(["pass", "fail", "not_observed"]),
  /** False where nothing in the run could have tripped it. */
  exercised: z.boolean(),
  /** Tried, and refused. */
  attempted: z.boolean().optional(),
  /** Why it was not observed, where that decides nothing: `prose contract`. */
  note: z.string().optional(),
});
export type Check = z.infer<typeof Check>;

const dimensionStatuses = ["pass", "fail", "not_observed", "not_applicable"] as const;
const score = {
  status: z.enum(dimensionStatuses),
  pass: z.boolean().nullable(),
  checks: z.array(Check),
};
export const DimensionScore = z.object(score);
export type DimensionScore = z.infer<typeof DimensionScore>;
export const TriggerScore = z.object({
  ...score,
  precision: rate,
  recall: rate,
  selected: z.array(z.string()),
  rejected: z.array(z.string()),
});
export type TriggerScore = z.infer<typeof TriggerScore>;

/** Why a case failed, with the events that show it. */
export const Failure = z.object({
  /** `unit` for a pure function, `rubric` for a judge, the last four for a conversation. */
  dimension: z.enum([...dimensions, "unit", "rubric", "hit", "protocol", "calls", "continuation"]),
  code: z.string(),
  message: z.string(),
  expected: AnyJson,
  actual: AnyJson,
  events: z.array(z.string()),
  /** First and last line of the log that it is about; empty where it is about none. */
  lines: z.array(z.number()),
});
export type Failure = z.infer<typeof Failure>;

/** Numerators and denominators that suites add up. */
export const CellTallies = z.object({
  turns: count,
  first_pass: count,
  extracted: count,
  final_valid: count,
  /** Tokens of attempts above the first, and of all; calls without usage are counted apart. */
  retry_tokens: z.number(),
  tokens: z.number(),
  unknown_usage: count,
  input_tokens: z.number(),
  output_tokens: z.number(),
  /** Null where a price is unknown. */
  cost_usd: rate,
  /** Null without an expectation about triggering. */
  trigger: z.object({ selected_expected: count, selected: count, hits: count, required: count }).nullable(),
});
export type CellTallies = z.infer<typeof CellTallies>;

/** What a grader says about one run: the element of a suite's report. */
export const CaseReport = z.object({
  suite: z.string(),
  case_id: z.string(),
  /** Null for a pure function. */
  run_id: z.string().nullable(),
  level: z.enum(caseLevels),
  trial: count,
  model: z.string(),
  status: z.enum(["pass", "fail", "invalid"]),
  pass: z.boolean().nullable(),
  /** Why there is no verdict; null where there is one. */
  no_verdict: z.object({ code: z.string(), message: z.string() }).nullable(),
  scores: z.object({
    trigger: TriggerScore,
    sequence: DimensionScore,
    disclosure: DimensionScore,
    security: DimensionScore,
    budget: DimensionScore,
    output: DimensionScore,
    streaming: DimensionScore,
    /** Only of a pure function. */
    unit: DimensionScore.optional(),
    /** Only where a case has one. */
    rubric: DimensionScore.optional(),
    /** Only of a conversation, besides `output`. */
    hit: DimensionScore.optional(),
    protocol: DimensionScore.optional(),
    calls: DimensionScore.optional(),
    continuation: DimensionScore.optional(),
  }),
  failures: z.array(Failure),
  not_exercised: z.array(z.string()),
  warnings: z.array(z.string()),
  stats: z.object({
    turns: count,
    tool_calls: count,
    script_runs: count,
    resource_loads: count,
    model_calls: count,
    stop_reason: z.string().nullable(),
    degraded: z.boolean().nullable(),
    /** The level of containment; null where nothing is known of it. */
    isolation: z.string().nullable(),
  }),
  tallies: CellTallies,
  /** Lines of the log that failures are about, shortened, by number; at most five per failure. */
  quotes: z.record(z.string(), z.string()),
  /** Only of a conversation: all of it. */
  conversation: ConversationRecord.optional(),
  /** Only of a conversation: whether every call was read after corrections; null where there was none. */
  protocol_after_correction: z.boolean().nullable().optional(),
  /** Changes when a verdict of before may be another one now. */
  grader: z.string(),
});
export type CaseReport = z.infer<typeof CaseReport>;
/** What a grader decides about a case. */
export type GradedVerdict = Pick<CaseReport, "status" | "pass" | "no_verdict">;

/** A case report in the report of a run, with what the engine knows besides. */
export const AgentResult = CaseReport.extend({
  case_digest: z.string(),
  cell_key: z.string(),
  title: z.string().optional(),
  tags: z.array(z.string()),
  /** Null where a replay gives no time. */
  latency_ms: z.number().nullable(),
  /** Where the run lies, relative to the folder of the command; null for a pure function. */
  run_dir: z.string().nullable(),
  /** `with-skills`, or `no-skills` for its baseline with an empty index. */
  condition: z.enum(["with-skills", "no-skills"]),
});
export type AgentResult = z.infer<typeof AgentResult>;

/** What trials of one case came to. */
export const CaseSummary = z.object({
  suite: z.string(),
  case_id: z.string(),
  case_digest: z.string(),
  model: z.string(),
  /** Null where no trial has a verdict. */
  pass: z.boolean().nullable(),
  trials: count,
  /** Trials with a verdict, and those of them that passed. */
  verdicts: count,
  passed: count,
  pass_rate: rate,
});
export type CaseSummary = z.infer<typeof CaseSummary>;

const plainRate = z.object({ value: rate, numerator: z.number(), denominator: z.number() });
const rateWithInterval = plainRate.extend({ interval: Interval.nullable() });
/** Figures over the cells of real models, with skills. 0/0 is null. */
export const AgentMetrics = z.object({
  first_pass_json: rateWithInterval,
  extracted_rate: rateWithInterval,
  final_json: rateWithInterval,
  retry_cost: plainRate.extend({ unknown_calls: count }),
  trigger_precision: rateWithInterval,
  trigger_recall: rateWithInterval,
  /** By k, over the cases with at least k verdicts. */
  pass_at_k: z.record(z.string(), rate),
  pass_hat_k: z.record(z.string(), rate),
  cost: z.object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    cost_usd: rate,
    latency_p50_ms: rate,
    latency_p95_ms: rate,
  }),
  without_verdict: count,
  /** With and without skills, paired by case. */
  baseline: z
    .object({ with_skills: rate, no_skills: rate, difference: rate, interval: bounds, cases: count })
    .nullable(),
});
export type AgentMetrics = z.infer<typeof AgentMetrics>;

/** How conversations did in each dimension, by itself. What is not observed enters no rate. */
export const ConversationRates = z.object({
  cells: count,
  hit: rateWithInterval,
  protocol: rateWithInterval,
  protocol_after_correction: rateWithInterval,
  calls: rateWithInterval,
  continuation: rateWithInterval,
  output: rateWithInterval,
});
export type ConversationRates = z.infer<typeof ConversationRates>;
