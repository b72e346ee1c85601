import pc from "picocolors";
import { visibleText } from "../base/visible-text.ts";
import type { DiffVerdict, ReportDiff } from "../contract/diff.ts";
import { describeChange } from "./diff-numbers.ts";
import { describeDiff, diffName } from "./diff-words.ts";
import { padWidth, textWidth } from "./text-width.ts";

/** A comparison in a few lines, for when the whole of it went to a file. */
export function diffLines(diff: ReportDiff, color: boolean): string {
  const paint = pc.createColors(color);
  const painted: Record<DiffVerdict, (text: string) => string> = {
    regressed: paint.red,
    improved: paint.green,
    inconclusive: (text) => text,
  };
  const names = diff.skills.map((skill) => visibleText(diffName(skill)));
  const nameWidth = Math.max(...names.map(textWidth));
  const lines = diff.skills.map(({ verdict, reason, metrics }, at) =>
    [
      paint.bold(padWidth(names[at] ?? "", nameWidth)),
      painted[verdict](padWidth(verdict, "inconclusive".length)),
      `CR ${describeChange("completionRate", metrics.completionRate)}`,
      `(${reason})`,
    ].join("  "),
  );
  return `${[...lines, "", describeDiff(diff)].join("\n")}\n`;
}
