import { countOf } from "../../base/count-of.ts";
import type { PlanReport, PlanReporter, PlanResultReader } from "../../contract/planbench-report.ts";
import { readPageTemplate } from "../html-template.ts";
import { escapeHtml, escapeJson } from "../html-text.ts";
import { resultsPageData } from "../page-data.ts";
import { plainPlanReport } from "./plan-html-plain.ts";

/** The report on plans as one page for browsers: the page of every other report, which draws it by its command. */
export const planHtmlReporter: PlanReporter = { format: "html", extension: "html", render };

function* render(report: PlanReport, results: PlanResultReader): Generator<string> {
  const { passed, total, run } = report;
  const template = readPageTemplate();
  yield template.beforeTitle;
  yield escapeHtml(`${passed} of ${countOf(total, "sample")} ok: eval-skills planbench report ${run.id}`);
  yield template.beforePlain;
  yield* plainPlanReport(report, results);
  yield template.beforeReport;
  for (const piece of resultsPageData(report, results)) yield escapeJson(piece);
  yield template.end;
}
