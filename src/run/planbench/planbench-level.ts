import type { Level, MetricValue } from "../../contract/level.ts";
import {
  PlanDetails,
  type PlanEvidence,
  type PlanResult,
  type PlanTable,
} from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";
import type { GateRule } from "../gates.ts";

/** Does a model make outputs that hold, at once or after repairs? A schema decides, and a program that carries them out. */
export const planbenchLevel: Level = {
  name: "planbench",
  nouns: { case: ["case", "cases"], subject: "model" },
  details: PlanDetails,
  metrics: [
    { name: "completionRate", unit: "share", better: "up" },
    { name: "passRate", unit: "share", better: "up", isCompared: true, isMain: true },
    { name: "ok0Rate", unit: "share", better: "up", isCompared: true, isMain: true },
    { name: "latencyP95Ms", unit: "ms", better: "down", isCompared: true },
    { name: "successRate", unit: "share", better: "up" },
    { name: "meanRepairs", unit: "score", better: "down" },
    { name: "sampleP95Ms", unit: "ms", better: "down" },
    { name: "execRate", unit: "share", better: "up" },
    { name: "hitRate", unit: "share", better: "up" },
    { name: "coverage", unit: "share", better: "up" },
    { name: "partialScore", unit: "score", better: "up" },
    { name: "errorRate", unit: "share", better: "down" },
    { name: "compositeScore", unit: "score", better: "up" },
  ],
};

/** What a bench is asked to reach; null is not asked. */
export interface PlanThresholds {
  minOk0: number | null;
  minSuccess: number | null;
  maxP95Ms: number | null;
  gateOn: "point" | "lower";
}

/** With fewer outcomes than this nobody knows what the missing ones would have been. */
const minCoverage = 0.95;

/** The gates of a bench, for routed and for forced cases each. Fixed ones test the bench itself and pass no gate. */
export function planGates({ minOk0, minSuccess, maxP95Ms, gateOn }: PlanThresholds): GateRule[] {
  const rule = (
    { metric, on, op }: Pick<GateRule, "metric" | "on" | "op">,
    threshold: number | null,
  ): GateRule[] => {
    if (threshold === null) return [];
    const { name: level } = planbenchLevel;
    const appliesTo: GateRule["appliesTo"] = ({ arm }) => arm !== "fixed";
    return [{ level, metric, on, op, threshold, enforced: true, scope: "subject", appliesTo, minCoverage }];
  };
  return [
    ...rule({ metric: "ok0Rate", on: gateOn, op: ">=" }, minOk0),
    ...rule({ metric: "successRate", on: gateOn, op: ">=" }, minSuccess),
    ...rule({ metric: "sampleP95Ms", on: "point", op: "<=" }, maxP95Ms),
  ];
}

/** The figures of a table that are metrics of its subject. */
export function tableMetrics(table: PlanTable): Record<string, MetricValue> {
  const { n, ok0Rate, successRate, intervals, execRate, hitRate } = table;
  return {
    passRate: { value: successRate, n },
    ok0Rate: { value: ok0Rate, interval: intervals.ok0Rate, n },
    successRate: { value: successRate, interval: intervals.successRate, n },
    meanRepairs: { value: table.meanRepairs, n: table.ok },
    sampleP95Ms: { value: table.sampleMs.p95, n },
    ...(execRate !== undefined && { execRate: { value: execRate } }),
    ...(hitRate !== undefined && { hitRate: { value: hitRate } }),
    coverage: { value: table.coverage, n: table.planned },
  };
}

/** The cell of a sample as the tables of a bench count it. What a foreign report lacks is unknown. */
export function planResult(cell: CellResult): PlanResult {
  const details = cell.details as Partial<PlanDetails>;
  const evidence = (cell.output ?? {}) as Partial<PlanEvidence>;
  const { outcome = "error", repairs = null, violations = [] } = details;
  return {
    caseId: cell.caseId,
    sample: cell.trial,
    route: details.route ?? "routed",
    host: details.host ?? null,
    tags: details.tags ?? [],
    outcome,
    repairs,
    status: cell.status,
    cause: cell.cause,
    problem: cell.cause === null ? null : cell.reason,
    ms: evidence.ms ?? cell.latencyMs,
    firstMs: evidence.firstMs ?? null,
    tokens: evidence.tokens ?? null,
    claimedOk: evidence.service?.claimedOk ?? null,
    selected: evidence.selected ?? null,
    attempts: evidence.attempts ?? [],
    violations,
    caseDigest: cell.caseDigest,
    cellKey: cell.key,
  };
}
