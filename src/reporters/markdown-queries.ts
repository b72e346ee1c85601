import { shorten } from "../base/visible-text.ts";
import type { QueryLine, QuerySummary } from "../contract/trigger-report.ts";
import { describeQuery, standingOf } from "./describe-query.ts";
import { escapeMarkdown } from "./escape-markdown.ts";

const queryLimit = 200;
const reasonLimit = 160;
const listedAtMost = 20;

type Query = QuerySummary & Partial<Pick<QueryLine, "judgments">>;

/** The queries of a skill that did not pass, as a list; `whereRest` says where to find the others. */
export function* markdownQueries(
  queries: Iterable<Query>,
  skillId: string,
  whereRest = ", listed below",
): Generator<string> {
  let seen = 0;
  for (const query of queries) {
    const standing = standingOf(query);
    if (standing === "passed" || ++seen > listedAtMost) continue;
    yield `- **${standing}** ${escapeMarkdown(shorten(query.query, queryLimit))}\n`;
    yield `  - ${escapeMarkdown(describeQuery({ ...query, skillId }))}\n`;
    if (query.reason) yield `  - ${escapeMarkdown(shorten(query.reason, reasonLimit))}\n`;
  }
  if (seen > listedAtMost) yield `- … and ${seen - listedAtMost} more${whereRest}\n`;
}
