import type pc from "picocolors";
import { countOf } from "../base/count-of.ts";
import { shownText, visibleText } from "../base/visible-text.ts";
import type { Report } from "../contract/report.ts";
import type { TriggeringEntry } from "../contract/trigger-report.ts";
import { alignedLines } from "./aligned-lines.ts";
import { describeJudge } from "./describe-judge.ts";
import { describeQuery, standingOf } from "./describe-query.ts";
import { describeSkips } from "./describe-skips.ts";
import { countQueries, describeTriggerCounts, sumTriggerCounts } from "./describe-trigger-counts.ts";
import { shortenMiddle } from "./shorten-middle.ts";
import { judgedEntries, toldEntries } from "./told-entries.ts";

const listedAtMost = 5;
const skillsAtMost = 10;
const queryLimit = 60;
const reasonLimit = 120;

/** What `eval` says about trigger tests: a line per skill, and what did not pass; nothing where no skill has any. */
export function triggeringBlocks(report: Report, paint: ReturnType<typeof pc.createColors>): string[][] {
  const judged = judgedEntries(report);
  const failing = judged.filter((entry) => notPassedIn(entry) > 0);
  const rest = failing.length - skillsAtMost;
  // That a skill has no block is worth a word only beside others that have one.
  const skipped = describeSkips(judged.length > 0 ? report.triggering : toldEntries(report));
  const rows = judged.map((entry) => [
    visibleText(entry.skillId),
    `triggering: ${describeTriggerCounts(entry)}`,
    `judge: ${visibleText(describeJudge(entry.judge, entry))}`,
  ]);
  const all = judged.length > 1 ? [`triggering: ${describeTriggerCounts(sumTriggerCounts(judged))}`] : [];
  const painted = (text: string, column: number) =>
    column === 0 ? paint.bold(text) : column === 2 ? paint.dim(text) : text;
  return [
    alignedLines(rows, { paint: painted }),
    ...failing.slice(0, skillsAtMost).map((entry) => notPassedLines(entry, paint)),
    rest > 0 ? [paint.dim(`… and ${countOf(rest, "more skill")} with queries that did not pass`)] : [],
    [...all, ...skipped.map((words) => paint.dim(`triggering skipped: ${visibleText(words)}`))],
  ];
}

function notPassedLines(entry: TriggeringEntry, paint: ReturnType<typeof pc.createColors>): string[] {
  const queries = (entry.results ?? []).filter((query) => standingOf(query) !== "passed");
  const rows = queries
    .slice(0, listedAtMost)
    .map((query) => [
      `  ${shownText(query.query, queryLimit)}`,
      standingOf(query),
      shortenMiddle(visibleText(describeQuery({ ...query, skillId: entry.skillId })), reasonLimit),
    ]);
  const rest = notPassedIn(entry) - rows.length;
  const count = notPassedIn(entry);
  return [
    paint.bold(`${visibleText(entry.skillId)}: ${countQueries(count, "trigger")} did not pass`),
    ...alignedLines(rows, {
      paint: (text, column) =>
        column === 1 ? (text.startsWith("failed") ? paint.red(text) : paint.yellow(text)) : text,
    }),
    ...(rest > 0 ? [paint.dim(`  … and ${rest} more`)] : []),
  ];
}

function notPassedIn({ failed, inconclusive }: TriggeringEntry): number {
  return failed + inconclusive;
}
