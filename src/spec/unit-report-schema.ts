import * as z from "zod";
import {
  LatencyFigures,
  Report,
  SkillReport,
  type SkillReportWithCells,
  Summary,
} from "../contract/report.ts";
import { Attempt, CellResult } from "../contract/result.ts";
import { TriggeringInFile } from "./trigger-report-schema.ts";

// What a reader cannot do without is required; the rest may be missing, for others write such files too.
// Codes are any text: a later version may know more of them.
const rate = z.number().nullable().default(null);
const text = z.string().default("");
// Whoever claims more than everything would win every choice.
const share = z.number().min(0).max(1).nullable();

const CellInFile = CellResult.extend({
  skillId: text,
  trial: z.number().int().min(1).default(1),
  taskDigest: text,
  cellKey: text,
  score: rate,
  latencyMs: z.number().default(0),
  scorerType: text,
  reason: z.string().nullable().default(null),
  output: z.unknown().default(null),
  outputTruncated: z.boolean().default(false),
  outputBytes: z.number().default(0),
  error: z.object({ code: z.string(), message: text }).nullable().default(null),
  usage: CellResult.shape.usage.default(null),
  judge: CellResult.shape.judge.default(null),
  weight: z.number().default(1),
  tags: z.array(z.string()).default([]),
  attempts: z.array(Attempt.extend({ code: z.string().nullable().default(null) })).default([]),
  beganAtMs: z.number().default(0),
  finishedAt: text,
});

const SummaryInFile = Summary.extend({
  completionRate: share,
  errorRate: share,
  compositeScore: share,
  partialScore: share.default(null),
  consistencyScore: share.default(null),
  flakeRate: share.default(null),
  intervals: Summary.shape.intervals.default({ completionRate: null, partialScore: null }),
  passAtK: Summary.shape.passAtK.default(null),
  passHatK: Summary.shape.passHatK.default(null),
});

const LatencyInFile = LatencyFigures.extend({
  p50Ms: rate,
  p99Ms: rate,
  latP95Norm: rate,
  maxLatencyMs: z.number().default(30_000),
});

const SkillInFile = SkillReport.extend({
  skillVersion: text,
  skillDigest: text,
  benchmarkVersion: text,
  timestamp: text,
  summary: SummaryInFile,
  latency: LatencyInFile,
  tokenCost: SkillReport.shape.tokenCost.default(null),
  byTag: SkillReport.shape.byTag.default({}),
  taskResults: z.array(CellInFile).default([]),
});

/** Reports of skills without anything around them. */
export const BareReports = z.array(SkillInFile) as unknown as z.ZodType<SkillReportWithCells[]>;

/** The document of `eval` and `run`, as it may stand in a file. */
export const UnitDocument = Report.extend({
  tool: Report.shape.tool.extend({ name: z.string() }),
  triggering: TriggeringInFile,
  warnings: Report.shape.warnings.default([]),
  files: Report.shape.files.default([]),
  exitCode: Report.shape.exitCode.default(0),
  reports: BareReports,
});
