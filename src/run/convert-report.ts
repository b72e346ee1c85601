import type { CellReader } from "../contract/report.ts";
import type { ReportFormat } from "../contract/report-format.ts";
import { readUnambiguousReport } from "./read-unambiguous-report.ts";
import { reporterFor } from "./reporters.ts";

/** A report file in another format, piece by piece, as often as it is asked for. */
export async function convertReport(
  file: string,
  format: ReportFormat,
  cwd: string,
): Promise<() => Iterable<string>> {
  const reporter = await reporterFor(format);
  const { reports, ...envelope } = readUnambiguousReport(file, cwd);
  const cellsOf: CellReader = function* (skillId, benchmarkId) {
    for (const skill of reports)
      if (skill.skillId === skillId && (benchmarkId ?? skill.benchmarkId) === skill.benchmarkId)
        for (const cell of skill.taskResults) yield JSON.stringify(cell);
  };
  const report = { ...envelope, reports: reports.map(({ taskResults: _, ...skill }) => skill) };
  return () => reporter.render(report, cellsOf);
}
