import pc from "picocolors";
import type { DiffVerdict, ReportDiff, SkillDiff } from "../../contract/diff.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { padWidth, textWidth, wrappedWords } from "../text/text-width.ts";
import {
  describeChange,
  describeDiff,
  diffName,
  diffTitle,
  falseVerdicts,
  metricStyle,
  subjectNoun,
  unseenDrop,
  verdictWord,
} from "./diff-words.ts";

/** A comparison in a few lines, for when all of it was written to a file. */
export function diffLines(
  diff: ReportDiff,
  { color, width }: { color: boolean; width: number | null },
): string {
  const paint = pc.createColors(color);
  const painted: Record<DiffVerdict, (text: string) => string> = {
    regressed: paint.red,
    improved: paint.green,
    unchanged: (text) => text,
    inconclusive: paint.yellow,
    "not-comparable": paint.yellow,
  };
  const textColumns = width === null ? Number.POSITIVE_INFINITY : Math.max(20, width - 2);
  const isTitled = subjectNoun(diff.skills) !== "skill";
  const names = diff.skills.map((skill) => visibleText(isTitled ? diffTitle(skill) : diffName(skill)));
  const nameWidth = Math.max(...names.map(textWidth));
  const wordWidth = Math.max(...diff.skills.map(({ verdict }) => verdictWord(verdict).length));
  const lines = diff.skills.flatMap((skill, at) => [
    [
      paint.bold(padWidth(names[at] ?? "", nameWidth)),
      painted[skill.verdict](padWidth(verdictWord(skill.verdict), wordWidth)),
      ...(skill.metrics[skill.main]?.delta == null
        ? []
        : [
            `${metricStyle(skill.main).title.toLowerCase()} ${describeChange(skill.main, skill.metrics[skill.main])}`,
          ]),
    ].join("  "),
    ...[whyLine(skill), ...otherChanges(skill)]
      .flatMap((words) => wrappedWords(visibleText(words), textColumns))
      .map((line) => `  ${line}`),
  ]);
  const failures = diff.failures.map((failure) => paint.red(`failed: ${visibleText(failure)}`));
  const chance = falseVerdicts(diff);
  const notes = chance === null ? [] : wrappedWords(chance, width ?? Number.POSITIVE_INFINITY).map(paint.dim);
  return `${[...lines, "", ...notes, ...failures, describeDiff(diff)].join("\n")}\n`;
}

/** What else got better or worse, whatever the verdict. */
function otherChanges({ metrics, main }: SkillDiff): string[] {
  const decided = Object.entries(metrics).filter(
    ([name, { sense }]) => name !== main && (sense === "better" || sense === "worse"),
  );
  if (decided.length === 0) return [];
  const words = decided.map(([name, metric]) => `${metricStyle(name).title} ${describeChange(name, metric)}`);
  return [words.join("; ")];
}

function whyLine(skill: SkillDiff): string {
  const unseen = unseenDrop(skill);
  return [skill.reason, ...skill.remarks, ...(unseen === null ? [] : [unseen])].join("; ");
}
