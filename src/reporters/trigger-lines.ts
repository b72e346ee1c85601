import pc from "picocolors";
import { countOf } from "../base/count-of.ts";
import { visibleText } from "../base/visible-text.ts";
import type { QueryReader, TriggerReport, TriggerResult } from "../contract/trigger-report.ts";
import { confusionLines } from "./confusion-lines.ts";
import { describeInconclusive, isSkipForbidden } from "./describe-inconclusive.ts";
import { describeSkips } from "./describe-skips.ts";
import { describeTriggerCounts, sumTriggerCounts } from "./describe-trigger-counts.ts";
import { describeTriggerGate } from "./describe-trigger-gate.ts";
import { forbiddenSkip } from "./describe-triggering.ts";
import { describePositionBias } from "./position-bias.ts";
import { type TextTerms, triggerSkillLines } from "./trigger-skill-lines.ts";
import { triggerSkillTable } from "./trigger-skill-table.ts";
import { wrappedWords } from "./wrapped-words.ts";

/** More in full would push the result itself off the screen. */
const skillsInFull = 10;

/** The result of `trigger` as text for stdout: per skill its figures and what did not pass, who is taken for whom, the verdict, the files. */
export function triggerLines(
  report: TriggerReport,
  queriesOf: QueryReader,
  { color, width }: { color: boolean; width: number | null },
): string {
  const terms: TextTerms = { paint: pc.createColors(color), width };
  const judged = report.results.filter(({ skipped }) => skipped === null);
  const isLong = judged.length > skillsInFull;
  const blocks = [
    isLong ? triggerSkillTable(judged, terms) : [],
    ...(isLong ? worstOf(judged) : judged).map((result) => triggerSkillLines(result, queriesOf, terms)),
    unsaidLines(judged, isLong, terms),
    skippedLines(report.results, terms),
    judged.length > 1 && report.confusion != null ? confusionLines(report.confusion, terms) : [],
    positionLines(judged, terms),
    closingLines(report, judged, terms),
    report.files.map((file) => visibleText(file)),
  ];
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => `${lines.join("\n")}\n`)
    .join("\n");
}

function worstOf(results: readonly TriggerResult[]): TriggerResult[] {
  return results
    .filter((result) => notPassed(result) > 0)
    .toSorted((a, b) => notPassed(b) - notPassed(a))
    .slice(0, skillsInFull);
}

function unsaidLines(judged: readonly TriggerResult[], isLong: boolean, { paint }: TextTerms): string[] {
  const rest = judged.filter((result) => notPassed(result) > 0).length - skillsInFull;
  return isLong && rest > 0
    ? [paint.dim(`… and ${countOf(rest, "more skill")} with queries that did not pass`)]
    : [];
}

function notPassed({ failed, inconclusive }: TriggerResult): number {
  return failed + inconclusive;
}

function skippedLines(results: readonly TriggerResult[], { paint, width }: TextTerms): string[] {
  return describeSkips(results).flatMap((words) =>
    wrapped(`skipped: ${visibleText(words)}`, width).map((line) => paint.dim(line)),
  );
}

function positionLines(judged: readonly TriggerResult[], { width }: TextTerms): string[] {
  const words = describePositionBias(judged);
  return words === null ? [] : wrapped(words, width);
}

function closingLines(report: TriggerReport, judged: readonly TriggerResult[], terms: TextTerms): string[] {
  const { paint, width } = terms;
  const counts = sumTriggerCounts(judged);
  const lines: string[] = [];
  const tell = (words: string | null, color: (text: string) => string) => {
    if (words !== null) lines.push(...wrapped(visibleText(words), width).map(color));
  };
  tell(describeTriggerGate(report.gate), report.gate.passed ? paint.green : paint.red);
  if (isSkipForbidden(report)) tell(forbiddenSkip(report.results), paint.red);
  tell(describeInconclusive(report), report.exitCode === 3 ? paint.red : paint.yellow);
  if (report.warnings.length > 0) tell(countOf(report.warnings.length, "warning"), paint.yellow);
  const isClean = counts.failed + counts.inconclusive === 0;
  tell(`triggering: ${describeTriggerCounts(counts)}`, (text) =>
    paint.bold((isClean ? paint.green : paint.red)(text)),
  );
  return lines;
}

function wrapped(words: string, width: number | null): string[] {
  return width === null ? [words] : wrappedWords(words, width);
}
