import { resolve } from "node:path";
import type { ReportFile } from "../contract/report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { UserError } from "../contract/user-error.ts";
import { readReport } from "../spec/read-report.ts";

/** A report in which each skill stands once per benchmark, so that it is clear which one is meant. */
export function readUnambiguousReport(file: string, cwd: string): ReportFile {
  const report = readReport(resolve(cwd, file), file);
  const list = isRecorded(report.run) ? "$.reports" : "$";
  const seen = new Map<string, number>();
  for (const [at, { skillId, benchmarkId }] of report.reports.entries()) {
    const key = JSON.stringify([skillId, benchmarkId]);
    const first = seen.get(key);
    if (first !== undefined)
      throw new UserError(
        "report-invalid",
        `${file} has two reports of ${skillId} on ${benchmarkId}, the first at ${list}[${first}]`,
        { path: file, jsonPath: `${list}[${at}]`, hint: "leave the one that counts" },
      );
    seen.set(key, at);
  }
  return report;
}
