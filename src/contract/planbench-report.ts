import * as z from "zod";
import { causeCodes } from "./cause.ts";
import { AnyJson } from "./json.ts";
import { type Stratum, strata } from "./planbench-file.ts";
import { Interval } from "./report.ts";
import { verdicts } from "./verdict.ts";
import { Violation } from "./violation.ts";

const count = z.number().int().min(0);
const rate = z.number().nullable();
const times = z.object({ avg: rate, p95: rate });

/** One generation, and what was wrong with it. */
export const PlanAttempt = z.object({
  valid: z.boolean(),
  ms: z.number(),
  /** Input and output together; null where nobody told. */
  tokens: z.number().nullable(),
  /** At most ten. */
  violations: z.array(Violation),
  /** Whether the executor carried the plan out; null where it was not handed over. */
  executed: z.boolean().nullable(),
  /** The id of the model that answered, where the provider told. */
  answeredBy: z.string().nullable(),
});
export type PlanAttempt = z.infer<typeof PlanAttempt>;

const planOutcomes = ["ok", "fail", "error"] as const;
export type PlanOutcome = (typeof planOutcomes)[number];

/** What is kept of a sample: a case, tried once. */
export const PlanSample = z.object({
  outcome: z.enum(planOutcomes),
  /** Of an `ok` sample: how many repairs it took. */
  repairs: z.number().int().nullable(),
  attempts: z.array(PlanAttempt),
  /** Attempt 0; null where it never ended. */
  firstMs: z.number().nullable(),
  /** First request to outcome. */
  ms: z.number(),
  /** Null where not every attempt told. */
  tokens: z.object({ first: z.number(), repairs: z.number(), total: z.number() }).nullable(),
  /** What a service said about itself; null for a model. */
  claimedOk: z.boolean().nullable(),
  /** Ids of the selected skills, in rank order; null where nobody was asked. */
  selected: z.array(z.string()).nullable(),
  /** Digest of every selected skill. */
  skills: z.record(z.string(), z.string()),
  /** Events of a service by type. */
  events: z.record(z.string(), count),
  /** Of the last attempt. */
  violations: z.array(Violation),
  /** Why there is no outcome, by its name and in words; null where there is one. */
  cause: z.enum(causeCodes).nullable(),
  problem: z.string().nullable(),
  /** The last output: parsed, or its text. */
  plan: AnyJson,
});
export type PlanSample = z.infer<typeof PlanSample>;

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
  ms: z.number(),
  firstMs: z.number().nullable(),
  tokens: PlanSample.shape.tokens,
  claimedOk: z.boolean().nullable(),
  selected: PlanSample.shape.selected,
  attempts: z.array(PlanAttempt),
  violations: z.array(Violation),
  caseDigest: z.string(),
  cellKey: z.string(),
  /** Only where it was asked for. */
  plan: AnyJson.optional(),
});
export type PlanResult = z.infer<typeof PlanResult>;

/** The figures of one stratum. N = ok + fail; over nothing they are null. */
export const PlanTable = z.object({
  route: z.enum(strata),
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
  /** Means over the samples that told, whose number is `known`. */
  tokens: z.object({ first: rate, repairs: rate, total: rate, known: count }),
  /** Absent without an executor. */
  execRate: rate.optional(),
  coverage: rate,
  /** Of routed cases whose route is known: how often the router selected anything. */
  hitRate: rate.optional(),
  topFailures: z.array(z.object({ reason: z.string(), count })),
});
export type PlanTable = z.infer<typeof PlanTable>;

export const PlanGate = z.object({
  gate: z.enum(["min_ok0", "min_success", "max_p95_ms"]),
  route: z.enum(strata),
  on: z.enum(["point", "lower"]),
  asked: z.number(),
  actual: rate,
  /** Null: no verdict. */
  passed: z.boolean().nullable(),
});
export type PlanGate = z.infer<typeof PlanGate>;

/** The document `planbench` ends with, without its results, which are streamed. */
export const PlanReport = z.object({
  schemaVersion: z.literal(1),
  command: z.literal("planbench"),
  tool: z.object({ name: z.literal("eval-skills"), version: z.string() }),
  run: z.object({
    id: z.string(),
    startedAt: z.string(),
    finishedAt: z.string(),
    bench: z.string(),
    /** As it was asked for, and as it answered. */
    model: z.string(),
    answeredBy: z.array(z.string()),
    parameters: AnyJson,
    samples: count,
    maxRepairs: count,
    seed: z.number(),
    schema: z.object({ name: z.string(), digest: z.string() }),
    skills: z.record(z.string(), z.string()),
    concurrency: z.number(),
    store: z.string(),
    /** What tools and the executor could reach; null where nothing was started. */
    isolation: z
      .object({
        level: z.string(),
        backend: z.string().nullable(),
        network: AnyJson,
        unproven: z.array(z.string()),
      })
      .nullable(),
  }),
  /** Samples that are ok, of all that were planned, fixed ones left out. */
  passed: count,
  total: count,
  gate: z.object({ passed: z.boolean().nullable(), checks: z.array(PlanGate) }),
  summary: z.array(PlanTable),
  warnings: z.array(z.string()),
  files: z.array(z.string()),
  exitCode: z.literal([0, 1, 3]),
});
export type PlanReport = z.infer<typeof PlanReport>;

/** The report file: with its results. */
export const PlanReportFile = PlanReport.extend({ results: z.array(PlanResult) });
export type PlanReportFile = z.infer<typeof PlanReportFile>;

/** Reads the samples of a run, in the order of its plan, as often as asked. */
export type PlanResultReader = () => Iterable<PlanResult>;

/** Turns a report on a bench into text, piece by piece. */
export interface PlanReporter {
  readonly format: string;
  readonly extension: string;
  render(report: PlanReport, results: PlanResultReader): Iterable<string>;
}

/** Where the samples of a bench are kept, in the place of the id of a benchmark. */
export function benchSuite(bench: string): string {
  return `planbench/${bench}`;
}

/** A table of a bench, where `report diff` names a benchmark: cases of different strata are never held against each other. */
export function benchTable(bench: string, stratum: Stratum): string {
  return `${benchSuite(bench)}/${stratum}`;
}

/** The bench and the stratum of such a table; null where it is none. */
export function tableOfBench(benchmarkId: string): { bench: string; stratum: Stratum } | null {
  const stratum = strata.find((one) => benchmarkId.endsWith(`/${one}`));
  const before = benchSuite("");
  if (stratum === undefined || !benchmarkId.startsWith(before)) return null;
  return { bench: benchmarkId.slice(before.length, -stratum.length - 1), stratum };
}
