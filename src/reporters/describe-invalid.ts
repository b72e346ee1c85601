import { countOf } from "../base/count-of.ts";
import type { Report } from "../contract/report.ts";
import { countQueries } from "./describe-trigger-counts.ts";

type Judged = Pick<Report, "reports" | "exitCode"> & Partial<Pick<Report, "triggering">>;

/** Why a report has no verdict, in plain text; null when every result is valid. */
export function describeInvalid({ reports, exitCode, triggering = [] }: Judged): string | null {
  const count = reports.reduce((sum, { counts }) => sum + counts.invalid, 0);
  const open = triggering.reduce((sum, entry) => sum + openIn(entry), 0);
  const results = count === 0 ? [] : [countOf(count, "invalid result")];
  const queries = open === 0 ? [] : [`${countQueries(open)} without a verdict`];
  if (count + open === 0) return null;
  if (exitCode === 3)
    return `No verdict: ${[...results, ...queries].join(", ")}. Mend what they say and run again, or accept them with --allow-invalid.`;
  return [
    ...results.map((words) => `${words}, counted nowhere.`),
    ...queries.map((words) => `${words}, accepted.`),
  ].join(" ");
}

function openIn({ inconclusive, results }: Report["triggering"][number]): number {
  return results === undefined ? inconclusive : results.filter(({ verdict }) => verdict === "invalid").length;
}
