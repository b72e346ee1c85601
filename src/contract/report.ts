import type { Containment } from "./containment.ts";
import type { CellResult } from "./result.ts";
import type { Counts } from "./verdict.ts";

export interface Interval {
  lower: number;
  upper: number;
  level: 0.95;
  method: "wilson" | "bootstrap";
  seed?: number;
}

export interface Summary {
  completionRate: number | null;
  partialScore: number | null;
  errorRate: number | null;
  consistencyScore: number | null;
  flakeRate: number | null;
  compositeScore: number | null;
  intervals: { completionRate: Interval | null; partialScore: Interval | null };
  /** k → value; null with one run. */
  passAtK: Record<string, number> | null;
  passHatK: Record<string, number> | null;
}

export interface LatencyFigures {
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  latP95Norm: number | null;
  maxLatencyMs: number;
  /** Cells whose latency was left out because a neighbour burned the CPU; absent when there are none. */
  disturbed?: number;
}

export interface TokenCost {
  promptTokens: number;
  completionTokens: number;
  totalTokens: number;
  estimatedUSD: number | null;
}

export interface TagFigures {
  total: number;
  pass: number;
  completionRate: number | null;
  partialScore: number | null;
}

/** What is known of one skill after a run, at full precision; numbers are rounded when written. */
export interface SkillReport {
  skillId: string;
  skillVersion: string;
  skillDigest: string;
  benchmarkId: string;
  benchmarkVersion: string;
  timestamp: string;
  counts: Counts;
  summary: Summary;
  latency: LatencyFigures;
  tokenCost: TokenCost | null;
  byTag: Record<string, TagFigures>;
}

export interface GateResult {
  minCompletion: number;
  on: "point" | "lower";
  enforced: boolean;
  passed: boolean;
  /** Skills below the line. */
  below: string[];
}

export interface RunFacts {
  id: string;
  startedAt: string;
  finishedAt: string;
  runs: number;
  concurrency: number;
  retries: number;
  timeoutMs: number;
  evaluator: string;
  seed: number;
  store: string;
  containment: Containment;
}

/** The document that a run ends with, without its cells: those are streamed. */
export interface Report {
  schemaVersion: 1;
  command: "eval";
  tool: { name: "eval-skills"; version: string };
  run: RunFacts;
  passed: number;
  total: number;
  gate: GateResult;
  reports: SkillReport[];
  triggering: [];
  warnings: string[];
  files: string[];
  exitCode: number;
}

/** Reads the cells of one skill, in plan order, as stored JSON text. */
export type CellReader = (skillId: string) => Iterable<string>;

/** Turns a report into text, piece by piece, so that no report has to fit in memory. */
export interface Reporter {
  readonly format: string;
  readonly extension: string;
  render(report: Report, cellsOf: CellReader): Iterable<string>;
}

/** A stored cell, read back. */
export function parseCell(text: string): CellResult {
  return JSON.parse(text) as CellResult;
}
