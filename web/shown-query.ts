import type { ReportFile } from "../src/contract/report.ts";
import type { QueryLine, QuerySummary, TriggerReportFile } from "../src/contract/trigger-report.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import type { QueryStanding } from "../src/reporters/describe-query.ts";

type Told = Omit<QueryLine, keyof QuerySummary | "skillId" | "judge">;

/** A query as the page shows it; `eval` and `run` tell less of it than `trigger` does. */
export interface ShownQuery extends QuerySummary, Partial<Told>, Pick<QueryLine, "skillId" | "judge"> {
  /** The share of yes that decides; absent where the report does not tell. */
  threshold?: number;
}

/** What needs a look comes first. */
export const standings: readonly QueryStanding[] = ["failed", "inconclusive", "passed"];

export const standingMarks: Readonly<Record<QueryStanding, Verdict>> = {
  failed: "fail",
  inconclusive: "invalid",
  passed: "pass",
};

/** Every query of a report on triggering, in its order. */
export function triggerQueries({ results }: Pick<TriggerReportFile, "results">): ShownQuery[] {
  return results.flatMap(({ queries, threshold }) => queries.map((query) => ({ ...query, threshold })));
}

/** Every query that `eval` or `run` tells of. */
export function triggeringQueries({ triggering }: Pick<ReportFile, "triggering">): ShownQuery[] {
  return triggering.flatMap(({ skillId, judge, results = [] }) =>
    results.map((query) => ({ ...query, skillId, judge })),
  );
}
