import type { SkillReport } from "../src/contract/report.ts";
import { countOf, fraction, fractionBounds, milliseconds } from "../src/reporters/format-numbers.ts";

/** The figures of a skill that the summary leaves out, as name and value. */
export function skillFigures({ summary, latency, tokenCost, skillDigest }: SkillReport): [string, string][] {
  const figures: [string, string][] = [
    ["Partial score", withInterval(summary)],
    ["Latency P50", milliseconds(latency.p50Ms)],
    ["Latency P95", milliseconds(latency.p95Ms)],
    ["Latency P99", milliseconds(latency.p99Ms)],
  ];
  if (latency.disturbed !== undefined)
    figures.push(["Left out of latency", countOf(latency.disturbed, "disturbed cell")]);
  if (summary.passAtK !== null) figures.push(["Passes once in k trials", byTrials(summary.passAtK)]);
  if (summary.passHatK !== null) figures.push(["Passes all k trials", byTrials(summary.passHatK)]);
  if (tokenCost !== null) {
    const { totalTokens, promptTokens, completionTokens, estimatedUSD } = tokenCost;
    figures.push(["Tokens", `${totalTokens} (${promptTokens} in, ${completionTokens} out)`]);
    if (estimatedUSD !== null) figures.push(["Cost", `${fraction(estimatedUSD)} USD`]);
  }
  return [...figures, ["Content", skillDigest]];
}

function withInterval({ partialScore, intervals }: SkillReport["summary"]): string {
  const bounds = fractionBounds(intervals.partialScore);
  return bounds === "" ? fraction(partialScore) : `${fraction(partialScore)} (95 % bootstrap ${bounds})`;
}

function byTrials(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([k, value]) => `k=${k}: ${fraction(value)}`)
    .join(", ");
}
