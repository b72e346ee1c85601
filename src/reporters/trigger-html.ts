import type { QueryReader, TriggerReport, TriggerReporter } from "../contract/trigger-report.ts";
import { readPageTemplate } from "./html-template.ts";
import { escapeHtml, escapeJson } from "./html-text.ts";
import { triggerPageData } from "./page-data.ts";
import { plainTriggerReport } from "./trigger-html-plain.ts";

/** The report on triggering as one page for browsers: the page of every other report, which draws it by its command. */
export const triggerHtmlReporter: TriggerReporter = { format: "html", extension: "html", render };

function* render(report: TriggerReport, queriesOf: QueryReader): Generator<string> {
  const template = readPageTemplate();
  yield template.beforeTitle;
  yield escapeHtml(`${report.passed} of ${report.total} passed: eval-skills trigger report ${report.run.id}`);
  yield template.beforePlain;
  yield* plainTriggerReport(report, queriesOf);
  yield template.beforeReport;
  for (const piece of triggerPageData(report, queriesOf)) yield escapeJson(piece);
  yield template.end;
}
