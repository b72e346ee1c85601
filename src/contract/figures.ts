import * as z from "zod";
import type { HarnessFault } from "./cause.ts";
import type { Interval } from "./document.ts";
import type { MetricValue } from "./level.ts";
import type { Counts, JudgeRecord } from "./result.ts";

const rate = z.number().nullable();

/** What a skill is judged by; null where no cell gave a verdict. */
export interface Summary {
  completionRate: MetricValue;
  partialScore: MetricValue;
  errorRate: MetricValue;
  /** The error rate where a failed attempt counts even if a later one passed. */
  errorRateWithRetries: MetricValue;
  /** Cells that passed only after an attempt had failed. */
  retriedRate: MetricValue;
  /** The completion rate with what has no verdict as failures. */
  completionWithInvalid: MetricValue;
  /** Cells without a verdict, of all that ended. */
  invalidShare: MetricValue;
  /** Cases with at least one valid trial, of all. */
  caseCoverage: MetricValue;
  consistencyScore: number | null;
  flakeRate: MetricValue;
  compositeScore: number | null;
  /** k → value; null with one run. */
  passAtK: Record<string, number> | null;
  passHatK: Record<string, number> | null;
  /** The intervals of `passAtK`. */
  passAtKIntervals: Record<string, Interval> | null;
}

/** How long the counted cells of a skill took. */
export interface LatencyFigures {
  p50Ms: number | null;
  p95Ms: MetricValue;
  p99Ms: MetricValue;
  latP95Norm: number | null;
  maxLatencyMs: number;
  /** Cells whose latency was left out because a neighbour burned the CPU; absent when there are none. */
  disturbed?: number;
}

/** What the answers of a skill used, as far as it reports that. */
export const TokenCost = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  totalTokens: z.number(),
  estimatedUSD: z.number().nullable(),
});
export type TokenCost = z.infer<typeof TokenCost>;

/** The figures of the tasks that have one tag. */
export interface TagFigures {
  total: number;
  pass: number;
  completionRate: number | null;
  /** Of the completion rate. */
  interval: Interval | null;
  partialScore: number | null;
}

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
      /** Why no verdict of this judge can be used; null where they can. */
      problem: z.string().nullable(),
    })
    .nullable(),
  /** Why its verdicts should not be used, where the user wanted them all the same; else null. */
  trustedDespite: z.string().nullable(),
});
export type JudgeFigures = z.infer<typeof JudgeFigures>;

/** How a judge did on cases of known score, and what asking took. */
export interface CanaryFigures extends NonNullable<JudgeFigures["canaries"]> {
  /** What its cells end with where there is a problem. */
  cause: HarnessFault | null;
  judge: JudgeRecord;
}
