import * as z from "zod";
import { Containment } from "./containment.ts";
import { Interval } from "./document.ts";
import { AnyJson } from "./json.ts";
import type { JudgeRecord } from "./result.ts";
import { TaskResult } from "./task-result.ts";
import { TriggeringEntry } from "./trigger-report.ts";
import { Counts } from "./verdict.ts";

const rate = z.number().nullable();

/** What a skill is judged by; null where no cell gave a verdict. */
export const Summary = z.object({
  completionRate: rate,
  partialScore: rate,
  errorRate: rate,
  consistencyScore: rate,
  flakeRate: rate,
  compositeScore: rate,
  intervals: z.object({ completionRate: Interval.nullable(), partialScore: Interval.nullable() }),
  /** k → value; null with one run. */
  passAtK: z.record(z.string(), z.number()).nullable(),
  passHatK: z.record(z.string(), z.number()).nullable(),
});
export type Summary = z.infer<typeof Summary>;

/** How long the counted cells of a skill took. */
export const LatencyFigures = z.object({
  p50Ms: rate,
  p95Ms: rate,
  p99Ms: rate,
  latP95Norm: rate,
  maxLatencyMs: z.number(),
  /** Cells whose latency was left out because a neighbour burned the CPU; absent when there are none. */
  disturbed: z.number().optional(),
});
export type LatencyFigures = z.infer<typeof LatencyFigures>;

/** What the answers of a skill used, as far as it told. */
export const TokenCost = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  totalTokens: z.number(),
  estimatedUSD: z.number().nullable(),
});
export type TokenCost = z.infer<typeof TokenCost>;

/** The figures of the tasks that have one tag. */
export const TagFigures = z.object({
  total: z.number(),
  pass: z.number(),
  completionRate: rate,
  partialScore: rate,
});
export type TagFigures = z.infer<typeof TagFigures>;

/** What is known of one skill after a run, at full precision; numbers are rounded when written. */
export const SkillReport = z.object({
  skillId: z.string(),
  skillVersion: z.string(),
  skillDigest: z.string(),
  benchmarkId: z.string(),
  benchmarkVersion: z.string(),
  timestamp: z.string(),
  counts: Counts,
  summary: Summary,
  latency: LatencyFigures,
  tokenCost: TokenCost.nullable(),
  byTag: z.record(z.string(), TagFigures),
  /** Whether `run` chose it, and its place among the chosen; absent in a report of `eval`. */
  selected: z.boolean().optional(),
  rank: z.number().int().nullable().optional(),
});
export type SkillReport = z.infer<typeof SkillReport>;

/** Which skill on which benchmark. */
export type SkillName = Pick<SkillReport, "skillId" | "benchmarkId">;

/** What the gate asked for, and whether it was met. */
export const GateResult = z.object({
  minCompletion: z.number(),
  on: z.enum(["point", "lower"]),
  enforced: z.boolean(),
  passed: z.boolean(),
  /** Skills below the line. */
  below: z.array(z.string()),
});
export type GateResult = z.infer<typeof GateResult>;

/** How a run was made: what a reader must know to judge its figures, and to get them again. */
export const RunFacts = z.object({
  id: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  runs: z.number(),
  concurrency: z.number(),
  retries: z.number(),
  timeoutMs: z.number(),
  evaluator: z.string(),
  seed: z.number(),
  store: z.string(),
  containment: Containment,
});
export type RunFacts = z.infer<typeof RunFacts>;

/** How far one judge can be trusted, and what it cost. */
export const JudgeFigures = z.object({
  model: z.string(),
  /** Cells it was asked about, and those it gave no usable verdict on. */
  cells: z.number(),
  failed: z.number(),
  failureRate: rate,
  calls: z.number(),
  latencyMs: z.number(),
  promptTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  /** Cases of known score, put to it in this run; null where none were. */
  canaries: z
    .object({
      asked: z.number(),
      answered: z.number(),
      /** Mean distance from the known score on honest cases; null where none was answered. */
      drift: rate,
      /** Share of the attacks that turned a failing answer into a passing one; null where none was answered. */
      flipRate: rate,
    })
    .nullable(),
});
export type JudgeFigures = z.infer<typeof JudgeFigures>;

/** How a judge did on cases of known score, and what asking took. */
export type CanaryFigures = NonNullable<JudgeFigures["canaries"]> & { judge: JudgeRecord };

/** What a task asked for: once per task, so that a reader of the report need not look for the benchmark. */
export const TaskFacts = z.object({
  id: z.string(),
  description: z.string().nullable(),
  /** Where one of the two is too long to repeat, its beginning as text. */
  input: AnyJson,
  expected: AnyJson,
  isShortened: z.boolean(),
});
export type TaskFacts = z.infer<typeof TaskFacts>;

/** The document that a run ends with, without its cells: those are streamed. */
export const Report = z.object({
  schemaVersion: z.literal(1),
  command: z.enum(["eval", "run"]),
  tool: z.object({ name: z.literal("eval-skills"), version: z.string() }),
  run: RunFacts,
  passed: z.number(),
  total: z.number(),
  gate: GateResult,
  reports: z.array(SkillReport),
  /** One element per skill that has trigger tests, or whose trigger tests were skipped. */
  triggering: z.array(TriggeringEntry),
  /** What the tasks of this run asked for, in their order; absent where there are very many, and in files of older versions. */
  tasks: z.array(TaskFacts).optional(),
  /** One entry per model that judged; absent where none did. */
  judges: z.array(JudgeFigures).optional(),
  warnings: z.array(z.string()),
  files: z.array(z.string()),
  exitCode: z.literal([0, 1, 3]),
});
export type Report = z.infer<typeof Report>;

/** A skill's report as it stands in a file: with its cells. */
export const SkillReportWithCells = SkillReport.extend({ taskResults: z.array(TaskResult) });
export type SkillReportWithCells = z.infer<typeof SkillReportWithCells>;

/** The report file as `eval` and `run` write it. */
export const ReportFile = Report.extend({ reports: z.array(SkillReportWithCells) });
export type ReportFile = z.infer<typeof ReportFile>;

/** Reads the cells of one skill on one benchmark, in plan order. */
export type CellReader = (skillId: string, benchmarkId?: string) => Iterable<TaskResult>;

/** Turns a report into text, piece by piece, so that no report has to fit in memory. */
export interface Reporter {
  readonly format: string;
  readonly extension: string;
  render(report: Report, cellsOf: CellReader): Iterable<string>;
}
