import type { CasePassRate } from "../../contract/agent-report.ts";
import { rateOverCases } from "../../shared/statistics/rate-over-cases.ts";
import type { CaseRow } from "./case-row.ts";

/** How many of the cells with a verdict passed. */
export function caseRate(rows: readonly CaseRow[], seed: number): CasePassRate {
  return rateOverCases(
    rows.map(({ counts }) => counts.pass),
    rows.map(({ counts }) => counts.pass + counts.fail),
    seed,
  );
}
