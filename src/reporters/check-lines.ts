import pc from "picocolors";
import { visibleLines, visibleText } from "../base/visible-text.ts";
import type { CellResult } from "../contract/result.ts";
import { describeOutput } from "./describe-outcome.ts";
import { countOf, fraction, milliseconds } from "./format-numbers.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const outputLimit = 600;
const wordsLimit = 1200;
const labelWidth = 9;

/** One result as a block for stdout: how it stands, and below it everything that explains it. */
export function checkLines(result: CellResult, color: boolean): string {
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

function facts(result: CellResult): [label: string, words: string][] {
  const { score, scorerType, latencyMs, startupMs, reason, error, judge, warnings = [] } = result;
  const startup = startupMs === undefined ? "" : `, after a start-up of ${milliseconds(startupMs)}`;
  return [
    ["score", `${fraction(score)} by ${scorerType}`],
    ["latency", `${milliseconds(latencyMs)}${startup}`],
    ["reason", reason ?? ""],
    ["error", error === null ? "" : `${error.code}: ${error.message}`],
    ["output", describeOutput(result, outputLimit)],
    ["tokens", describeUsage(result.usage)],
    [
      "judge",
      judge === null
        ? ""
        : `${judge.model}, ${countOf(judge.calls, "call")}, ${milliseconds(judge.latencyMs)}`,
    ],
    ...warnings.map((warning): [string, string] => ["warning", warning]),
  ];
}

function describeUsage(usage: CellResult["usage"]): string {
  if (usage === null) return "";
  const { promptTokens, completionTokens, totalTokens, costUsd } = usage;
  const parts = [
    promptTokens === null ? "" : `${promptTokens} in`,
    completionTokens === null ? "" : `${completionTokens} out`,
    totalTokens === null ? "" : `${totalTokens} in all`,
    costUsd === null ? "" : `${costUsd} USD`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

/** Further lines stand below the first one, not below the label. */
function hanging(words: string): string {
  return visibleLines(shortenMiddle(words, wordsLimit)).replaceAll("\n", `\n${" ".repeat(2 + labelWidth)}`);
}
