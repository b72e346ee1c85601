import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";
import { causeCodes } from "./cause.ts";
import { Interval } from "./document.ts";
import { Violation } from "./output-contract.ts";
import { strata, targetTypes } from "./planbench-file.ts";
import { verdicts } from "./result.ts";

const count = z.number().int().min(0);
const rate = z.number().nullable();
const times = z.object({ avg: rate, p95: rate });

/** One generation, and what was wrong with it. */
export const PlanAttempt = z.object({
  valid: z.boolean(),
  /** Null where a replay gives no time. */
  ms: z.number().nullable(),
  /** Input and output together; null if unknown. */
  tokens: z.number().nullable(),
  /** At most ten. */
  violations: z.array(Violation),
  /** Whether the executor carried the plan out; null where it was not handed over. */
  executed: z.boolean().nullable(),
  /** The id of the model that answered, if the provider reports it. */
  answeredBy: z.string().nullable(),
});
export type PlanAttempt = z.infer<typeof PlanAttempt>;

const planOutcomes = ["ok", "fail", "error"] as const;

/** Everything that was seen while a case was tried once. What it comes to is decided from this alone, now or later. */
export const PlanEvidence = z.object({
  /** Those that ended. */
  attempts: z.array(PlanAttempt),
  /** The last output as it came; null where there was none, or where a report does not show it. */
  output: z.string().nullable(),
  /** Whether only the beginning of it is stored. */
  isOutputCut: z.boolean(),
  /** Why the last answer holds no plan that could be checked, in the words of whoever gave it. */
  problem: z.string().nullable(),
  /** What the executor reported against the last plan. */
  executionError: z.string().nullable(),
  /** The deadline, where it passed before the last attempt ended. */
  overdueMs: z.number().nullable(),
  /** What kept it from any outcome. */
  fault: z.object({ cause: z.enum(causeCodes), message: z.string() }).nullable(),
  /** What a service said about its answer; null for a model. Repairs: null where it does not say. */
  service: z.object({ claimedOk: z.boolean().nullable(), repairs: z.number().int().nullable() }).nullable(),
  /** Events of a service by type. */
  events: z.record(z.string(), count),
  /** Attempt 0; null where it never ended, or where a replay gives no time. */
  firstMs: z.number().nullable(),
  /** Null unless every attempt reported it. */
  tokens: z.object({ first: z.number(), repairs: z.number(), total: z.number() }).nullable(),
  /** Ids of the selected skills, in rank order; null if no router was asked. */
  selected: z.array(z.string()).nullable(),
  /** Digest of every selected skill. */
  skills: z.record(z.string(), z.string()),
});
export type PlanEvidence = z.infer<typeof PlanEvidence>;

/** What the cell of a sample stores of its own. */
export const PlanDetails = z.object({
  route: z.enum(strata),
  host: z.string().nullable(),
  tags: z.array(z.string()),
  outcome: z.enum(planOutcomes),
  /** Of an `ok` sample: how many repairs it took. */
  repairs: z.number().int().nullable(),
  /** Of the last attempt. */
  violations: z.array(Violation),
});
export type PlanDetails = z.infer<typeof PlanDetails>;

/** A sample in the report of a run. */
export const PlanResult = z.object({
  caseId: z.string(),
  /** From 1. */
  sample: count,
  route: z.enum(strata),
  host: z.string().nullable(),
  tags: z.array(z.string()),
  outcome: z.enum(planOutcomes),
  repairs: z.number().int().nullable(),
  status: z.enum(verdicts),
  cause: z.enum(causeCodes).nullable(),
  problem: z.string().nullable(),
  /** First request to outcome; null where a replay gives no time. */
  ms: z.number().nullable(),
  firstMs: z.number().nullable(),
  tokens: PlanEvidence.shape.tokens,
  claimedOk: z.boolean().nullable(),
  selected: PlanEvidence.shape.selected,
  attempts: z.array(PlanAttempt),
  violations: z.array(Violation),
  caseDigest: z.string(),
  cellKey: z.string(),
  /** Only on request. */
  plan: AnyJson.optional(),
});
export type PlanResult = z.infer<typeof PlanResult>;

/** The figures of one stratum. N = ok + fail; over nothing they are null. */
export const PlanTable = z.object({
  route: z.enum(strata),
  /** Who made the plans; null for those that cases hold or tools make, and in older reports. */
  target: z.enum(targetTypes).nullable().default(null),
  planned: count,
  n: count,
  ok: count,
  fail: count,
  error: count,
  ok0Rate: rate,
  successRate: rate,
  intervals: z.object({ ok0Rate: Interval.nullable(), successRate: Interval.nullable() }),
  buckets: z.object({ "0": count, "1": count, "2": count, "3": count, "4": count, "5": count, fail: count }),
  meanRepairs: rate,
  firstMs: times,
  sampleMs: times,
  /** Means over the samples that reported it, whose number is `known`. */
  tokens: z.object({ first: rate, repairs: rate, total: rate, known: count }),
  /** Absent without an executor. */
  execRate: rate.optional(),
  coverage: rate,
  /** Of routed cases whose route is known: how often the router selected anything. */
  hitRate: rate.optional(),
  topFailures: z.array(z.object({ reason: z.string(), count })),
});
export type PlanTable = z.infer<typeof PlanTable>;
