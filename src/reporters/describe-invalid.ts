import { countOf } from "../base/count-of.ts";
import type { Report } from "../contract/report.ts";

/** Why a report has no verdict, in plain text; null when every result is valid. */
export function describeInvalid({ reports, exitCode }: Pick<Report, "reports" | "exitCode">): string | null {
  const count = reports.reduce((sum, { counts }) => sum + counts.invalid, 0);
  if (count === 0) return null;
  const results = countOf(count, "invalid result");
  return exitCode === 3
    ? `No verdict: ${results}. Mend what they say and run again, or accept them with --allow-invalid.`
    : `${results}, counted nowhere.`;
}
