import type { Usage } from "../src/contract/outcome.ts";
import type { CellResult } from "../src/contract/result.ts";
import { countOf, fraction, milliseconds } from "../src/reporters/format-numbers.ts";

/** What is worth knowing of a cell besides its answer, as name and value. */
export function cellFacts(cell: CellResult): [string, string][] {
  const { tags, weight, startupMs, usage, judge } = cell;
  const facts: [string, string][] = [
    ["Skill", cell.skillId],
    ["Trial", String(cell.trial)],
    ["Score", cell.score === null ? "– (no verdict)" : fraction(cell.score)],
    ["Latency", milliseconds(cell.latencyMs)],
    ["Scorer", cell.scorerType],
  ];
  if (startupMs !== undefined) facts.push(["Start-up", `${milliseconds(startupMs)}, not in the latency`]);
  if (weight !== 1) facts.push(["Weight", fraction(weight)]);
  if (tags.length > 0) facts.push(["Tags", tags.join(", ")]);
  if (usage !== null) facts.push(["Used", describeUsage(usage)]);
  if (judge !== null) {
    const asked = `${countOf(judge.calls, "call")}, ${milliseconds(judge.latencyMs)}`;
    facts.push(["Judge", judge.model], ["Judging", asked]);
    if (judge.usage !== null) facts.push(["Judge used", describeUsage(judge.usage)]);
  }
  return [...facts, ["Finished", cell.finishedAt]];
}

/** By which a cell and its task are known on every machine. */
export function cellDigests({ cellKey, taskDigest }: CellResult): [string, string][] {
  return [
    ["Cell", cellKey],
    ["Task", taskDigest],
  ];
}

function describeUsage({ promptTokens, completionTokens, totalTokens, costUsd }: Usage): string {
  const parts = [
    totalTokens === null ? null : countOf(totalTokens, "token"),
    promptTokens === null ? null : `${promptTokens} in`,
    completionTokens === null ? null : `${completionTokens} out`,
    costUsd === null ? null : `${fraction(costUsd)} USD`,
  ];
  return parts.filter((part) => part !== null).join(", ") || "not told";
}
