import { resolve } from "node:path";
import { triggeringSuite } from "../contract/trigger-report.ts";
import { isRecorded } from "../contract/unrecorded-run.ts";
import { UserError } from "../contract/user-error.ts";
import { type AnyReport, readAnyReport } from "../spec/read-any-report.ts";

/** A report in which each skill stands once per benchmark, so that it is clear which one is meant. */
export function readUnambiguousReport(file: string, cwd: string): AnyReport {
  const report = readAnyReport(resolve(cwd, file), file);
  if (report.command === "trigger") refuseTwins(file, "$.results", report.results.map(triggeringOf));
  else {
    refuseTwins(file, isRecorded(report.run) ? "$.reports" : "$", report.reports);
    refuseTwins(file, "$.triggering", report.triggering.map(triggeringOf));
  }
  return report;
}

interface Named {
  skillId: string;
  benchmarkId: string;
}

function triggeringOf({ skillId }: { skillId: string }): Named {
  return { skillId, benchmarkId: triggeringSuite };
}

function refuseTwins(file: string, list: string, reports: readonly Named[]): void {
  const seen = new Map<string, number>();
  for (const [at, { skillId, benchmarkId }] of reports.entries()) {
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
}
