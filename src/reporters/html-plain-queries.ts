import { shorten } from "../base/visible-text.ts";
import type { QueryLine, QuerySummary, TriggerResult } from "../contract/trigger-report.ts";
import { describeAnswers, standingOf, whatCame } from "./describe-query.ts";
import { notPassedWords, queryCount } from "./describe-trigger-counts.ts";
import { type HtmlColumn, htmlTable, textColumn, wordColumn } from "./html-table.ts";
import { shortenMiddle } from "./shorten-middle.ts";

const listedAtMost = 500;
const idLimit = 200;
const textLimit = 300;

type Query = QuerySummary & Pick<QueryLine, "skillId">;

/** The first queries as a plain table, those that did not pass before the rest; they are read twice, one at a time. */
export function* plainQueries(
  read: () => Iterable<Query>,
  counts: Pick<TriggerResult, "passed" | "failed" | "inconclusive">,
  hasSkills: boolean,
): Generator<string> {
  const all = queryCount(counts);
  if (all === 0) return;
  if (all > listedAtMost)
    yield `<p>The first ${listedAtMost} of ${all} queries, those that did not pass before the rest. All of them are shown where scripts may run, and stand in the JSON report.</p>\n`;
  const columns = chooseColumns(hasSkills);
  const titles = columns.map(([column]) => column);
  const isAllPassed = notPassedWords(counts).length === 0;
  const rows = queryRows(read, isAllPassed, (query) => columns.map(([, textOf]) => textOf(query)));
  yield* htmlTable("Queries, one row each", titles, rows);
}

function chooseColumns(hasSkills: boolean): [HtmlColumn, (query: Query) => string][] {
  const columns: [HtmlColumn, (query: Query) => string][] = [
    [wordColumn("Verdict"), ({ verdict, cause }) => describeVerdict({ verdict, cause })],
    [wordColumn("Skill"), ({ skillId }) => shortenMiddle(skillId, idLimit)],
    [wordColumn("Side"), ({ side }) => side],
    [textColumn("Query"), ({ query }) => shorten(query, textLimit)],
    [wordColumn("Yes"), (query) => `${describeAnswers(query)}${query.flips ? ", flips" : ""}`],
    [textColumn("Reason"), describeReason],
  ];
  return hasSkills ? columns : columns.filter(([{ title }]) => title !== "Skill");
}

function describeVerdict(query: Pick<QuerySummary, "verdict" | "cause">): string {
  return query.cause === null ? standingOf(query) : `${standingOf(query)}: ${query.cause}`;
}

function describeReason(query: Query): string {
  const { verdict, cause, reason } = query;
  if (verdict === "pass" || cause !== null) return shortenMiddle(reason ?? "", textLimit);
  return shortenMiddle(reason === null ? whatCame(query) : `${whatCame(query)}: ${reason}`, textLimit);
}

function* queryRows(
  read: () => Iterable<Query>,
  isAllPassed: boolean,
  rowOf: (query: Query) => string[],
): Generator<string[]> {
  let left = listedAtMost;
  for (const isPassed of isAllPassed ? [true] : [false, true])
    for (const query of read()) {
      if (left === 0) return;
      if ((query.verdict === "pass") !== isPassed) continue;
      yield rowOf(query);
      left--;
    }
}
