import * as z from "zod";
import { Interval } from "./document.ts";
import type { Counts, JudgeRecord } from "./result.ts";

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

/** What the answers of a skill used, as far as it reports that. */
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

/** What is known of one subject after a run, at full precision; numbers are rounded when written. */
export interface SubjectFigures {
  counts: Counts;
  summary: Summary;
  latency: LatencyFigures;
  tokenCost: TokenCost | null;
  byTag: Record<string, TagFigures>;
}

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
