import { countOf } from "../src/base/count-of.ts";
import type { TaskResult } from "../src/contract/task-result.ts";
import { describeUsage } from "../src/reporters/describe-usage.ts";
import { fraction, milliseconds } from "../src/reporters/format-numbers.ts";
import type { SkillCell } from "./skill-cell.ts";

/** What is worth knowing of a cell besides its answer, as name and value. */
export function cellFacts(cell: SkillCell): [string, string][] {
  const { tags, weight, startupMs, usage, judge } = cell;
  const facts: [string, string][] = [
    ["Skill", cell.skillId],
    ["Benchmark", cell.benchmarkId],
    ["Trial", String(cell.trial)],
    ["Score", cell.score === null ? "– (no verdict)" : fraction(cell.score)],
    ["Latency", milliseconds(cell.latencyMs)],
    ["Scorer", cell.scorerType],
  ];
  if (startupMs !== undefined) facts.push(["Start-up", `${milliseconds(startupMs)}, not in the latency`]);
  if (weight !== 1) facts.push(["Weight", fraction(weight)]);
  if (tags.length > 0) facts.push(["Tags", tags.join(", ")]);
  if (usage !== null) facts.push(["Tokens", describeUsage(usage)]);
  if (judge !== null) {
    const asked = `${countOf(judge.calls, "call")}, ${milliseconds(judge.latencyMs)}`;
    facts.push(["Judge", judge.model], ["Judging", asked]);
    if (judge.usage !== null) facts.push(["Judge tokens", describeUsage(judge.usage)]);
  }
  facts.push(["Finished", cell.finishedAt]);
  return facts.filter(([, value]) => value !== "");
}

/** By which a cell and its task are known on every machine. */
export function cellDigests({ cellKey, taskDigest }: TaskResult): [string, string][] {
  return [
    ["Cell", cellKey],
    ["Task", taskDigest],
  ];
}
