import { shorten } from "../base/visible-text.ts";
import type { QueryLine, QuerySummary } from "../contract/trigger-report.ts";
import { describeQuery, standingOf } from "./describe-query.ts";
import type { Annotation } from "./github-command.ts";

const queryLimit = 200;
const reasonLimit = 200;

/** The words of an annotation on a query that did not pass: its text first, for that is what somebody looks for. */
export function queryAnnotation(
  query: QuerySummary & Partial<Pick<QueryLine, "judgments">>,
  skillId: string,
): Pick<Annotation, "title" | "message"> {
  const reason = query.reason ? ` (${shorten(query.reason, reasonLimit)})` : "";
  return {
    title: `${skillId}: trigger query ${standingOf(query)}`,
    message: `${shorten(query.query, queryLimit)} – ${describeQuery({ ...query, skillId })}${reason}`,
  };
}
