import type { Baselines, TriggerMetrics } from "../contract/trigger-report.ts";

/** The heads of the figures by which a judge is told from chance. */
export const metricHeads = ["precision", "recall", "specificity", "F1", "MCC"] as const;

/** The same as titles. */
export const titledHeads = metricHeads.map((head) => head.charAt(0).toUpperCase() + head.slice(1));

export interface MetricRow {
  name: string;
  /** In the order of the heads. */
  values: string[];
}

/** The figures of a judge and of those it has to beat, row by row; the second row has the bounds of the first. */
export function triggerMetricRows(metrics: { query: TriggerMetrics; baselines: Baselines }): MetricRow[] {
  const { alwaysYes, alwaysNo, lexical } = metrics.baselines;
  return [
    { name: "this judge", values: figuresOf(metrics.query) },
    { name: "95 % interval", values: boundsOf(metrics.query) },
    ...(lexical === null ? [] : [{ name: "lexical router", values: figuresOf(lexical) }]),
    { name: "always yes", values: figuresOf(alwaysYes) },
    { name: "always no", values: figuresOf(alwaysNo) },
  ];
}

function figuresOf({ precision, recall, specificity, f1, mcc }: TriggerMetrics): string[] {
  return [precision, recall, specificity, f1, mcc].map(figure);
}

function boundsOf({ intervals }: TriggerMetrics): string[] {
  const { precision, recall, specificity, mcc } = intervals;
  return [precision, recall, specificity, null, mcc ?? null].map((bounds) =>
    bounds === null ? "" : `${bounds.lower.toFixed(3)}–${bounds.upper.toFixed(3)}`,
  );
}

/** A figure with as many decimals as its neighbours; 0/0 is neither 0 nor 1. */
export function figure(value: number | null): string {
  return value === null ? "undefined" : value.toFixed(3);
}
