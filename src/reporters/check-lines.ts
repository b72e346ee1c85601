import pc from "picocolors";
import { countOf } from "../base/count-of.ts";
import { visibleLines, visibleText } from "../base/visible-text.ts";
import type { TaskResult } from "../contract/task-result.ts";
import { describeOutput } from "./describe-outcome.ts";
import { describeUsage } from "./describe-usage.ts";
import { fraction, milliseconds } from "./format-numbers.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const outputLimit = 600;
const wordsLimit = 1200;
const labelWidth = 9;

/** One result as a block for stdout: how it stands, and below it everything that explains it. */
export function checkLines(result: TaskResult, color: boolean): string {
  const paint = pc.createColors(color);
  const paintStatus =
    result.status === "pass" ? paint.green : result.status === "invalid" ? paint.yellow : paint.red;
  const heading = `${paint.bold(paintStatus(result.status))}  ${visibleText(result.skillId)}`;
  const rows = facts(result).filter(([, words]) => words !== "");
  return [
    heading,
    ...rows.map(([label, words]) => `  ${paint.dim(label.padEnd(labelWidth))}${hanging(words)}`),
  ].join("\n");
}

function facts(result: TaskResult): [label: string, words: string][] {
  const { score, scorerType, latencyMs, startupMs, reason, error, usage, judge, warnings = [] } = result;
  const startup = startupMs === undefined ? "" : `, after a start-up of ${milliseconds(startupMs)}`;
  return [
    ["score", `${fraction(score)} by ${scorerType}`],
    ["latency", `${milliseconds(latencyMs)}${startup}`],
    ["reason", reason ?? ""],
    ["error", error === null ? "" : `${error.code}: ${error.message}`],
    ["output", describeOutput(result, outputLimit)],
    ["tokens", usage === null ? "" : describeUsage(usage)],
    [
      "judge",
      judge === null
        ? ""
        : `${judge.model}, ${countOf(judge.calls, "call")}, ${milliseconds(judge.latencyMs)}`,
    ],
    ...warnings.map((warning): [string, string] => ["warning", warning]),
  ];
}

/** Further lines stand below the first one, not below the label. */
function hanging(words: string): string {
  return visibleLines(shortenMiddle(words, wordsLimit)).replaceAll("\n", `\n${" ".repeat(2 + labelWidth)}`);
}
