import * as z from "zod";
import { PlanAttempt, PlanGate, PlanReport, PlanResult, PlanTable } from "../contract/planbench-report.ts";
import { Interval } from "../contract/report.ts";
import { Violation } from "../contract/violation.ts";

// As with reports of eval: what a reader cannot do without is required, the rest may be missing.
const text = z.string().default("");
const texts = z.array(z.string()).default([]);
const rate = z.number().nullable().default(null);
const number = z.number().default(0);
const count = z.number().int().min(0).default(0);
const some = z.string().nullable().default(null);

const violations = z.array(Violation.extend({ pointer: text, reason: text })).default([]);

const AttemptInFile = PlanAttempt.extend({
  ms: number,
  tokens: rate,
  violations,
  executed: z.boolean().nullable().default(null),
  answeredBy: some,
});

const ResultInFile = PlanResult.extend({
  sample: z.number().int().min(1).default(1),
  route: PlanResult.shape.route.default("routed"),
  host: some,
  tags: texts,
  repairs: PlanResult.shape.repairs.default(null),
  status: PlanResult.shape.status.optional(),
  cause: PlanResult.shape.cause.default(null),
  problem: some,
  ms: number,
  firstMs: rate,
  tokens: PlanResult.shape.tokens.default(null),
  claimedOk: z.boolean().nullable().default(null),
  selected: PlanResult.shape.selected.default(null),
  attempts: z.array(AttemptInFile).default([]),
  violations,
  caseDigest: text,
  cellKey: text,
});

const bounds = Interval.extend({
  level: Interval.shape.level.default(0.95),
  method: Interval.shape.method.default("wilson"),
})
  .nullable()
  .default(null);
const times = z.object({ avg: rate, p95: rate }).prefault({});

const TableInFile = PlanTable.extend({
  n: count,
  ok: count,
  fail: count,
  error: count,
  ok0Rate: rate,
  successRate: rate,
  intervals: z.object({ ok0Rate: bounds, successRate: bounds }).prefault({}),
  buckets: z
    .object({ "0": count, "1": count, "2": count, "3": count, "4": count, "5": count, fail: count })
    .prefault({}),
  meanRepairs: rate,
  firstMs: times,
  sampleMs: times,
  tokens: z.object({ first: rate, repairs: rate, total: rate, known: count }).prefault({}),
  coverage: rate,
  topFailures: PlanTable.shape.topFailures.default([]),
});

/** The document of `planbench`, as it may stand in a file. */
export const PlanDocument = PlanReport.extend({
  tool: PlanReport.shape.tool.extend({ name: z.string() }),
  run: PlanReport.shape.run.extend({
    startedAt: text,
    finishedAt: text,
    model: text,
    answeredBy: texts,
    parameters: PlanReport.shape.run.shape.parameters.default(null),
    samples: z.number().int().min(1).default(1),
    maxRepairs: count,
    seed: number,
    schema: z.object({ name: text, digest: text }).prefault({}),
    skills: PlanReport.shape.run.shape.skills.default({}),
    concurrency: number,
    store: text,
    isolation: z
      .object({
        level: z.string().default("unknown"),
        backend: some,
        network: PlanReport.shape.run.shape.parameters.default("unknown"),
        unproven: texts,
      })
      .nullable()
      .default(null),
  }),
  gate: z
    .object({
      passed: z.boolean().nullable(),
      checks: z.array(PlanGate.extend({ on: PlanGate.shape.on.default("point"), actual: rate })).default([]),
    })
    .prefault({ passed: true }),
  summary: z.array(TableInFile).default([]),
  warnings: texts,
  files: texts,
  exitCode: PlanReport.shape.exitCode.default(0),
  results: z.array(ResultInFile),
});
