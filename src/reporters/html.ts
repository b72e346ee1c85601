import type { CellReader, Report, Reporter } from "../contract/report.ts";
import { plainReport } from "./html-plain.ts";
import { readPageTemplate } from "./html-template.ts";
import { escapeHtml, escapeJson } from "./html-text.ts";
import { unitPageData } from "./page-data.ts";

/** The report as one page for browsers: our script draws the embedded document, plain tables do without script. */
export const htmlReporter: Reporter = { format: "html", extension: "html", render };

function* render(report: Report, cellsOf: CellReader): Generator<string> {
  const template = readPageTemplate();
  yield template.beforeTitle;
  yield escapeHtml(`${report.passed} of ${report.total} passed: eval-skills report ${report.run.id}`);
  yield template.beforePlain;
  yield* plainReport(report, cellsOf);
  yield template.beforeReport;
  for (const piece of unitPageData(report, cellsOf)) yield escapeJson(piece);
  yield template.end;
}
