import type { TriggerReportFile } from "../contract/trigger-report.ts";
import { checkReport } from "./check-report.ts";
import { TriggerDocument } from "./trigger-report-schema.ts";

/** A document of `trigger` as a report, filled up with what it leaves out: a query without a judge had that of its skill. */
export function triggerReport(value: object, shownPath: string): TriggerReportFile {
  const document = checkReport(value, TriggerDocument, shownPath);
  const results = document.results.map((result) => {
    const { skillId, skillDigest } = result;
    const queries = result.queries.map(({ judge = result.judge, ...query }) => ({
      ...query,
      skillId,
      skillDigest: query.skillDigest || skillDigest,
      judge,
    }));
    return { ...result, queries };
  });
  return { ...document, results } as TriggerReportFile;
}
