import type { MetricDiff } from "../../contract/diff.ts";
import { compositeScore, percent } from "../text/format-numbers.ts";

interface MetricStyle {
  title: string;
  value: (value: number | null) => string;
  /** The change without its sign. */
  size: (delta: number) => string;
  /** What is written where a change is too small for its digits. */
  least: string;
}

const points = (delta: number) => `${(delta * 100).toFixed(1)} pp`;

/** A quotient of nothing by nothing is said to be just that: it is neither good nor bad. */
const defined = (value: MetricStyle["value"]) => (number: number | null) =>
  number === null ? "undefined" : value(number);

/** How a figure is shown, in its own precision; one that nobody has named here as a share. */
export function metricStyle(name: string): MetricStyle {
  return metricStyles[name] ?? { title: name, value: percent, size: points, least: "0.1 pp" };
}

const metricStyles: Readonly<Record<string, MetricStyle>> = {
  completionRate: { title: "Completion", value: percent, size: points, least: "0.1 pp" },
  errorRate: { title: "Error Rate", value: percent, size: points, least: "0.1 pp" },
  passRate: { title: "Pass Rate", value: percent, size: points, least: "0.1 pp" },
  ok0Rate: { title: "Ok at First", value: percent, size: points, least: "0.1 pp" },
  recall: { title: "Recall", value: defined(percent), size: points, least: "0.1 pp" },
  precision: { title: "Precision", value: defined(percent), size: points, least: "0.1 pp" },
  mcc: { title: "MCC", value: defined(compositeScore), size: (delta) => delta.toFixed(4), least: "0.0001" },
  latencyP95Ms: {
    title: "P95 Latency",
    value: (ms) => (ms === null ? "–" : `${ms.toFixed(0)} ms`),
    size: (delta) => `${delta.toFixed(0)} ms`,
    least: "1 ms",
  },
  compositeScore: {
    title: "Composite Score",
    value: compositeScore,
    size: (delta) => delta.toFixed(4),
    least: "0.0001",
  },
};

/** A change with its arrow, its size and, where it means anything, its sense: `↓ −25.0 pp worse`. */
export function describeChange(name: string, metric: MetricDiff | undefined): string {
  const { size, least } = metricStyle(name);
  const { delta = null, sense = "same" } = metric ?? {};
  if (delta === null) return "–";
  if (delta === 0) return `= ${size(0)}`;
  const written = size(Math.abs(delta));
  const isTiny = written === size(0);
  const number = isTiny ? `<${least}` : `${delta > 0 ? "+" : "−"}${written}`;
  return `${delta > 0 ? "↑" : "↓"} ${number} ${sense === "within-noise" ? "within noise" : sense}`;
}
