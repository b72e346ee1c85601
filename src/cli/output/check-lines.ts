import pc from "picocolors";
import type { CellResult } from "../../contract/result.ts";
import { describeUsage, fraction, milliseconds } from "../../report/text/format-numbers.ts";
import { shortenMiddle } from "../../report/text/text-width.ts";
import { endWords } from "../../report/view/cell-words.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shorten, visibleLines, visibleText } from "../../shared/text/visible-text.ts";

const outputLimit = 600;
const wordsLimit = 1200;
const labelWidth = 9;

/** One result as a block for stdout: its status, and below it everything that explains it. */
export function checkLines(result: CellResult, color: boolean): string {
  const paint = pc.createColors(color);
  const paintStatus =
    result.status === "pass" ? paint.green : result.status === "invalid" ? paint.yellow : paint.red;
  const heading = `${paint.bold(paintStatus(endWords[result.status]))}  ${visibleText(result.skillId ?? "")}`;
  const rows = facts(result).filter(([, words]) => words !== "");
  return [
    heading,
    ...rows.map(([label, words]) => `  ${paint.dim(label.padEnd(labelWidth))}${hanging(words)}`),
  ].join("\n");
}

function facts(result: CellResult): [label: string, words: string][] {
  const { score, latencyMs, startupMs, reason, cause, usage, judge, warnings } = result;
  const { scorerType } = result.details as { scorerType?: string };
  const startup = startupMs === undefined ? "" : `, after a start-up of ${milliseconds(startupMs)}`;
  return [
    ["score", `${fraction(score)}${scorerType === undefined ? "" : ` by ${scorerType}`}`],
    ["latency", `${milliseconds(latencyMs)}${startup}`],
    ["reason", cause === null ? (reason ?? "") : ""],
    ["error", cause === null ? "" : `${cause}: ${reason ?? ""}`],
    ["output", describeOutput(result)],
    ["tokens", usage === null ? "" : describeUsage(usage)],
    [
      "judge",
      judge === null
        ? ""
        : `${judge.model}, ${pluralize(judge.calls, "call")}, ${milliseconds(judge.latencyMs)}`,
    ],
    ...warnings.map((warning): [string, string] => ["warning", warning]),
  ];
}

/** What a skill answered, as short JSON; empty where there was no answer. */
function describeOutput({ output, cause, outputTruncated, outputBytes }: CellResult): string {
  if (output === null && cause !== null) return "";
  const text = shorten(JSON.stringify(output), outputLimit);
  return outputTruncated ? `${text} (of ${outputBytes} bytes)` : text;
}

/** Further lines are aligned with the first one, not with the label. */
function hanging(words: string): string {
  return visibleLines(shortenMiddle(words, wordsLimit)).replaceAll("\n", `\n${" ".repeat(2 + labelWidth)}`);
}
