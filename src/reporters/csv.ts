import type { Report, Reporter, SkillReport } from "../contract/report.ts";
import { csvLine } from "./csv-line.ts";

/** One row per skill for spreadsheets; numbers are numbers, an unknown value is empty. */
export const csvReporter: Reporter = { format: "csv", extension: "csv", render };

/** The columns in their order; readers go by it, so new ones are added at the end. */
const columns: Record<string, (skill: SkillReport) => string | number | null> = {
  skillId: ({ skillId }) => skillId,
  benchmarkId: ({ benchmarkId }) => benchmarkId,
  completionRate: ({ summary }) => summary.completionRate,
  partialScore: ({ summary }) => summary.partialScore,
  errorRate: ({ summary }) => summary.errorRate,
  p50Ms: ({ latency }) => latency.p50Ms,
  p95Ms: ({ latency }) => latency.p95Ms,
  compositeScore: ({ summary }) => summary.compositeScore,
  p99Ms: ({ latency }) => latency.p99Ms,
  consistencyScore: ({ summary }) => summary.consistencyScore,
  flakeRate: ({ summary }) => summary.flakeRate,
  total: ({ counts }) => counts.total,
  pass: ({ counts }) => counts.pass,
  fail: ({ counts }) => counts.fail,
  error: ({ counts }) => counts.error,
  timeout: ({ counts }) => counts.timeout,
  invalid: ({ counts }) => counts.invalid,
  skillVersion: ({ skillVersion }) => skillVersion,
  timestamp: ({ timestamp }) => timestamp,
};

function* render({ reports }: Report): Generator<string> {
  yield csvLine(Object.keys(columns));
  for (const skill of reports) yield csvLine(Object.values(columns).map((read) => read(skill)));
}
