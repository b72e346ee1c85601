import type { SkillReport } from "../contract/report.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { countOf, fraction, fractionBounds, milliseconds } from "./format-numbers.ts";
import { markdownTable, numberColumn } from "./markdown-table.ts";

/** What was tested, how the cells ended, and every figure the summary table has no room for. */
export function* skillFigures(skill: SkillReport): Generator<string> {
  yield `${testedParts(skill).map(escapeMarkdown).join(", ")}\n\n`;
  yield* countTable(skill);
  yield "\n";
  for (const line of figureLines(skill)) yield `- ${line}\n`;
}

/** A file of bare results need not name versions and content. */
function testedParts({ skillVersion, skillDigest, benchmarkId, benchmarkVersion }: SkillReport): string[] {
  return [
    ...(skillVersion === "" ? [] : [`Version ${skillVersion}`]),
    `benchmark ${benchmarkId} ${benchmarkVersion}`.trimEnd(),
    ...(skillDigest === "" ? [] : [`content ${skillDigest}`]),
  ];
}

/** A value with its interval, in round brackets: square ones are markup. */
export function withBounds(value: string, bounds: string): string {
  return bounds === "" ? value : `${value} (${bounds})`;
}

function* countTable({ counts }: SkillReport): Generator<string> {
  const titles = ["Total", "Pass", "Fail", "Error", "Timeout", "Invalid (not in total)"];
  const { total, pass, fail, error, timeout, invalid } = counts;
  const row = [total, pass, fail, error, timeout, invalid].map(String);
  yield* markdownTable(titles.map(numberColumn), [row]);
}

function figureLines({ summary, latency, tokenCost }: SkillReport): string[] {
  const { p50Ms, p95Ms, p99Ms, disturbed } = latency;
  const partial = withBounds(fraction(summary.partialScore), fractionBounds(summary.intervals.partialScore));
  const lines = [
    `Partial score: ${partial}`,
    `Latency: p50 ${milliseconds(p50Ms)}, p95 ${milliseconds(p95Ms)}, p99 ${milliseconds(p99Ms)}`,
  ];
  if (disturbed !== undefined) lines.push(`Latency leaves out ${countOf(disturbed, "disturbed cell")}`);
  if (summary.passAtK !== null) lines.push(`Passes at least once in k trials: ${byTrials(summary.passAtK)}`);
  if (summary.passHatK !== null) lines.push(`Passes every one of k trials: ${byTrials(summary.passHatK)}`);
  if (tokenCost !== null) {
    const { promptTokens, completionTokens, totalTokens, estimatedUSD } = tokenCost;
    const cost = estimatedUSD === null ? "" : `, ${fraction(estimatedUSD)} USD`;
    lines.push(`Tokens: ${totalTokens} (${promptTokens} in, ${completionTokens} out)${cost}`);
  }
  return lines;
}

function byTrials(values: Readonly<Record<string, number>>): string {
  return Object.entries(values)
    .map(([k, value]) => `${fraction(value)} (k = ${escapeMarkdown(k)})`)
    .join(", ");
}
