import { countOf } from "../base/count-of.ts";
import type { SkillReport } from "../contract/report.ts";
import { describeUsage } from "./describe-usage.ts";
import { fraction, fractionBounds, milliseconds } from "./format-numbers.ts";

/** The figures of a skill that a summary has no room for, as name and value. */
export function skillFigures({ summary, latency, tokenCost }: SkillReport): [string, string][] {
  const { p50Ms, p95Ms, p99Ms, disturbed } = latency;
  const partial = withBounds(fraction(summary.partialScore), fractionBounds(summary.intervals.partialScore));
  const figures: [string, string][] = [
    ["Partial score", partial],
    ["Latency", `p50 ${milliseconds(p50Ms)}, p95 ${milliseconds(p95Ms)}, p99 ${milliseconds(p99Ms)}`],
  ];
  if (disturbed !== undefined) figures.push(["Left out of latency", countOf(disturbed, "disturbed cell")]);
  if (summary.passAtK !== null) figures.push(["Passes at least once in k trials", byTrials(summary.passAtK)]);
  if (summary.passHatK !== null) figures.push(["Passes every one of k trials", byTrials(summary.passHatK)]);
  if (tokenCost !== null)
    figures.push(["Tokens", describeUsage({ ...tokenCost, costUsd: tokenCost.estimatedUSD })]);
  return figures;
}

/** A value with its interval, in round brackets: square ones are markup. */
export function withBounds(value: string, bounds: string): string {
  return bounds === "" ? value : `${value} (${bounds})`;
}

function byTrials(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([k, value]) => `${fraction(value)} (k = ${k})`)
    .join(", ");
}
