import type { SkillReport } from "../contract/report.ts";
import type { StoredReport } from "../contract/store.ts";
import type { Conclusion } from "./purpose.ts";
import type { PlanOptions } from "./request.ts";

/**
 * What `find`, `select` and `history` will know of a run that is done. One over a part of a benchmark says nothing about
 * the whole: its results are kept, but it does not count there.
 */
export function reportsToKeep({ cases, taskTags }: PlanOptions, { reports }: Conclusion): StoredReport[] {
  return cases.length > 0 || taskTags.length > 0 ? [] : reports.map(storedReport);
}

/** What the store keeps of the figures of one skill. */
export function storedReport(report: SkillReport): StoredReport {
  const { skillId, benchmarkId, skillVersion, skillDigest, timestamp } = report;
  const { counts, summary, latency, tokenCost } = report;
  const figures = { counts, summary, latency, tokenCost };
  return { skillId, benchmarkId, skillVersion, skillDigest, figures, finishedAt: timestamp };
}
