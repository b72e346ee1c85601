import type { PlanOutcome, PlanReportFile, PlanResult } from "../contract/planbench-report.ts";
import { checkReport } from "./check-report.ts";
import { PlanDocument } from "./plan-report-schema.ts";

/** A document of `planbench` as a report, filled up with what it leaves out: the status of a sample follows from its outcome. */
export function planReport(value: object, shownPath: string): PlanReportFile {
  const document = checkReport(value, PlanDocument, shownPath);
  const results = document.results.map((result) => ({
    ...result,
    status: result.status ?? statusOf[result.outcome],
  }));
  return { ...document, results } as PlanReportFile;
}

const statusOf: Readonly<Record<PlanOutcome, PlanResult["status"]>> = {
  ok: "pass",
  fail: "fail",
  error: "invalid",
};
