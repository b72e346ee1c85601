import pc from "picocolors";
import type { DiffVerdict, ReportDiff } from "../../contract/diff.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { padWidth, textWidth } from "../text/text-width.ts";
import {
  describeChange,
  describeDiff,
  diffName,
  diffTitle,
  mainMetrics,
  subjectNoun,
  verdictWord,
} from "./diff-words.ts";

/** A comparison in a few lines, for when all of it was written to a file. */
export function diffLines(diff: ReportDiff, color: boolean): string {
  const paint = pc.createColors(color);
  const painted: Record<DiffVerdict, (text: string) => string> = {
    regressed: paint.red,
    improved: paint.green,
    inconclusive: (text) => text,
  };
  const isTitled = subjectNoun(diff.skills) !== "skill";
  const names = diff.skills.map((skill) => visibleText(isTitled ? diffTitle(skill) : diffName(skill)));
  const nameWidth = Math.max(...names.map(textWidth));
  const lines = diff.skills.map((skill, at) => {
    const { verdict, reason, metrics } = skill;
    const word = verdictWord(skill);
    const [main] = mainMetrics(skill);
    return [
      paint.bold(padWidth(names[at] ?? "", nameWidth)),
      painted[verdict](padWidth(word, "inconclusive".length)),
      `${isTitled ? "pass rate" : main === "passRate" ? "triggering" : "completion"} ${describeChange(main, metrics[main])}`,
      ...(word === "unchanged" ? [] : [`(${reason})`]),
    ].join("  ");
  });
  return `${[...lines, "", describeDiff(diff)].join("\n")}\n`;
}
