import type { Interval, LatencyFigures, SkillReport, Summary, TagFigures } from "../contract/report.ts";

/** A report as it is written: shares and scores to 4 decimals, latencies to 3. Gates and ranks use the one before. */
export function roundReport(report: SkillReport): SkillReport {
  return {
    ...report,
    summary: roundSummary(report.summary),
    latency: roundLatency(report.latency),
    tokenCost: report.tokenCost && {
      ...report.tokenCost,
      estimatedUSD: roundShare(report.tokenCost.estimatedUSD),
    },
    byTag: roundEach(report.byTag, roundTag),
  };
}

function roundSummary(summary: Summary): Summary {
  return {
    completionRate: roundShare(summary.completionRate),
    partialScore: roundShare(summary.partialScore),
    errorRate: roundShare(summary.errorRate),
    consistencyScore: roundShare(summary.consistencyScore),
    flakeRate: roundShare(summary.flakeRate),
    compositeScore: roundShare(summary.compositeScore),
    intervals: {
      completionRate: roundInterval(summary.intervals.completionRate),
      partialScore: roundInterval(summary.intervals.partialScore),
    },
    passAtK: summary.passAtK && roundEach(summary.passAtK, roundShare),
    passHatK: summary.passHatK && roundEach(summary.passHatK, roundShare),
  };
}

function roundLatency(latency: LatencyFigures): LatencyFigures {
  return {
    ...latency,
    p50Ms: roundMs(latency.p50Ms),
    p95Ms: roundMs(latency.p95Ms),
    p99Ms: roundMs(latency.p99Ms),
    latP95Norm: roundShare(latency.latP95Norm),
  };
}

function roundTag(figures: TagFigures): TagFigures {
  return {
    ...figures,
    completionRate: roundShare(figures.completionRate),
    partialScore: roundShare(figures.partialScore),
  };
}

function roundInterval(interval: Interval | null): Interval | null {
  return interval && { ...interval, lower: roundShare(interval.lower), upper: roundShare(interval.upper) };
}

/** Rates and scores: four decimals. */
export function roundShare<Value extends number | null>(value: Value): Value {
  return roundTo(value, 4);
}

/** Microseconds are as fine as a latency is worth keeping. */
export function roundMs<Value extends number | null>(value: Value): Value {
  return roundTo(value, 3);
}

/** A single call costs fractions of a cent. */
export function roundUsd<Value extends number | null>(value: Value): Value {
  return roundTo(value, 6);
}

function roundTo<Value extends number | null>(value: Value, decimals: number): Value {
  return (value === null ? null : Number(value.toFixed(decimals))) as Value;
}

function roundEach<Value>(
  values: Record<string, Value>,
  round: (value: Value) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, round(value)]));
}
