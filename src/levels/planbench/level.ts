import type { SubjectReport } from "../../contract/document.ts";
import type { Level, MetricValue } from "../../contract/level.ts";
import type { TargetType } from "../../contract/planbench-file.ts";
import { PlanDetails, type PlanTable } from "../../contract/planbench-report.ts";
import type { GateRule } from "../../engine/gates.ts";
import { planbenchRows } from "./options.ts";
import { planbenchView } from "./view.ts";

const targetWords: Readonly<Record<TargetType, string>> = {
  model: "a model",
  sse: "a service, which tidies plans up before they are checked",
  mock: "the scripts of the cases",
};

/** Plans of a service and of a model are not the same thing. */
function otherTarget(...details: [SubjectReport["details"], SubjectReport["details"]]): string | null {
  const [a, b] = details.map(
    ({ table }) => (table as { target?: TargetType | null } | undefined)?.target ?? null,
  );
  if (a == null || b == null || a === b) return null;
  return `the plans of one come from ${targetWords[a]}, of the other from ${targetWords[b]}`;
}

/** With fewer outcomes than this, the missing ones could change the result. */
const minCoverage = 0.95;

/** Does a model make valid outputs, at first or after repairs? A schema and an executor decide. */
export const planbenchLevel: Level = {
  name: "planbench",
  options: planbenchRows,
  view: planbenchView,
  nouns: { case: ["case", "cases"], subject: "route" },
  details: PlanDetails,
  incomparable: otherTarget,
  gatedFigures: { minCompletion: "successRate", maxP95Ms: "sampleP95Ms" },
  gateCoverage: minCoverage,
  metrics: [
    { name: "completionRate", label: "completion", unit: "share", better: "up" },
    { name: "passRate", label: "pass rate", unit: "share", better: "up", isCompared: true, isMain: true },
    {
      name: "ok0Rate",
      label: "ok at first",
      unit: "share",
      better: "up",
      isCompared: true,
      isMain: true,
      hit: ({ status, details }) =>
        status === "pass" && ((details as Partial<PlanDetails> | null)?.repairs ?? 0) === 0,
    },
    { name: "latencyP95Ms", label: "P95 latency", unit: "ms", better: "down", isCompared: true },
    { name: "successRate", label: "ok in the end", unit: "share", better: "up" },
    { name: "meanRepairs", label: "mean repairs", unit: "score", better: "down" },
    { name: "sampleP95Ms", label: "P95 of a sample", unit: "ms", better: "down" },
    { name: "execRate", label: "executed", unit: "share", better: "up" },
    { name: "hitRate", label: "router hit rate", unit: "share", better: "up" },
    { name: "coverage", label: "coverage", unit: "share", better: "up" },
    { name: "partialScore", label: "partial score", unit: "score", better: "up" },
    { name: "errorRate", label: "error rate", unit: "share", better: "down" },
    { name: "compositeScore", label: "composite score", unit: "score", better: "up" },
  ],
};

/** What a bench must reach; null is not checked. */
export interface PlanThresholds {
  minOk0: number | null;
  minSuccess: number | null;
  maxP95Ms: number | null;
  gateOn: "point" | "lower";
}

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
    passRate: { value: successRate, interval: intervals.successRate, n },
    ok0Rate: { value: ok0Rate, interval: intervals.ok0Rate, n },
    successRate: { value: successRate, interval: intervals.successRate, n },
    meanRepairs: { value: table.meanRepairs, n: table.ok },
    sampleP95Ms: { value: table.sampleMs.p95, n },
    ...(execRate !== undefined && { execRate: { value: execRate } }),
    ...(hitRate !== undefined && { hitRate: { value: hitRate } }),
    coverage: { value: table.coverage, n: table.planned },
  };
}
