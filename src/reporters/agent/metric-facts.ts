import { countOf } from "../../base/count-of.ts";
import type { AgentMetrics } from "../../contract/agent-report.ts";
import {
  counted,
  grouped,
  milliseconds,
  percent,
  percentBounds,
  signedPoints,
  usd,
} from "../format-numbers.ts";

/** A figure over the cells of real models, as people read it. */
export interface MetricFact {
  name: string;
  value: string;
  /** What it is made of. */
  of: string;
}

/** The figures over the cells of real models, in the order they are shown. 0/0 is undefined, neither good nor bad. */
export function metricFacts(metrics: AgentMetrics): MetricFact[] {
  const { cost, baseline } = metrics;
  // Where models only talked, no agent took a turn.
  const hasTurns = metrics.first_pass_json.denominator > 0;
  return [
    ...(hasTurns ? turnFacts(metrics) : []),
    ...curve("pass@k", metrics.pass_at_k),
    ...curve("pass^k", metrics.pass_hat_k),
    {
      name: "cost",
      value: cost.cost_usd === null ? "unknown" : usd(cost.cost_usd),
      of: `${grouped(cost.input_tokens)} tokens in, ${grouped(cost.output_tokens)} out`,
    },
    {
      name: "latency",
      value: `p50 ${milliseconds(cost.latency_p50_ms)}, p95 ${milliseconds(cost.latency_p95_ms)}`,
      of: "",
    },
    ...(metrics.without_verdict > 0
      ? [{ name: "without a verdict", value: counted(metrics.without_verdict, "cell"), of: "in no figure" }]
      : []),
    ...(baseline === null ? [] : [baselineFact(baseline)]),
  ];
}

function turnFacts(metrics: AgentMetrics): MetricFact[] {
  const { retry_cost: retries } = metrics;
  return [
    rateFact("valid JSON at first", metrics.first_pass_json, "turn"),
    rateFact("taken out of prose", metrics.extracted_rate, "turn"),
    rateFact("valid JSON in the end", metrics.final_json, "turn"),
    {
      ...rateFact("spent on retries", { ...retries, interval: null }, "token"),
      ...(retries.unknown_calls > 0 && {
        of: `${ofWords(retries, "token")}; ${countOf(retries.unknown_calls, "call")} with unknown usage`,
      }),
    },
    rateFact("trigger precision", metrics.trigger_precision, "selected skill"),
    rateFact("trigger recall", metrics.trigger_recall, "expected skill"),
  ];
}

interface Rate {
  value: number | null;
  numerator: number;
  denominator: number;
  interval: { lower: number; upper: number } | null;
}

export function rateFact(name: string, rate: Rate, noun: string): MetricFact {
  return { name, value: withBounds(rate), of: ofWords(rate, noun) };
}

/** A rate with its interval: `95.0% [86.3–98.3]`. */
export function withBounds({ value, interval }: Pick<Rate, "value" | "interval">): string {
  if (value === null) return "undefined";
  return interval === null ? percent(value) : `${percent(value)} [${percentBounds(interval)}]`;
}

function ofWords({ numerator, denominator }: Pick<Rate, "numerator" | "denominator">, noun: string): string {
  return denominator === 0 ? `no ${noun}s` : `${grouped(numerator)} of ${counted(denominator, noun)}`;
}

function curve(name: string, values: AgentMetrics["pass_at_k"]): MetricFact[] {
  const points = Object.entries(values);
  // One trial says nothing that the pass rate does not say.
  if (points.length < 2) return [];
  return [{ name, value: points.map(([k, value]) => `${k}: ${percent(value)}`).join(", "), of: "" }];
}

function baselineFact(baseline: NonNullable<AgentMetrics["baseline"]>): MetricFact {
  const { with_skills, no_skills, difference, interval, cases } = baseline;
  const bounds =
    interval === null ? "" : ` [${signedPoints(interval.lower)} to ${signedPoints(interval.upper)}]`;
  return {
    name: "gain by skills",
    value: difference === null ? "undefined" : `${signedPoints(difference)}${bounds}`,
    of: `${percent(with_skills)} with, ${percent(no_skills)} without, over ${countOf(cases, "case")}`,
  };
}
