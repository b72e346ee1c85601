import type { SkippedReport } from "../../contract/document.ts";
import type { ReportView } from "../../contract/format.ts";
import { countAttributes, notLoadedCounts, seconds, skippedCounts } from "../text/junit-counts.ts";
import { xmlTag } from "../text/xml.ts";
import { skipReason } from "./verdict-words.ts";
import { cutWords, oneLine } from "./wrap-words.ts";

const messageColumns = 300;

/** The suite of skills that are tested at no level. */
export const untestedSuite = "skills without tests";

/** A suite for what was not tested, so that it is not overlooked. */
export function* skippedSuite(
  suite: string,
  skipped: readonly SkippedReport[],
  view: ReportView,
): Generator<string> {
  const attributes = { ...countAttributes(skippedCounts(skipped)), timestamp: timestamp(view) };
  yield `  ${xmlTag("testsuite", { name: oneLine(suite), ...attributes })}\n`;
  for (const { level, skillId, caseId, reason } of skipped) {
    const known = view.subjects.find((one) => one.level.name === level)?.level;
    const message = cutWords(oneLine(skipReason(reason, known)), messageColumns);
    const name = oneLine(caseId ?? skillId ?? suite);
    const classname = oneLine(skillId === null ? suite : `${suite}.${skillId}`);
    yield `    ${xmlTag("testcase", { name, classname, time: seconds(0) })}\n`;
    yield `      ${xmlTag("skipped", { message }, "empty")}\n`;
    yield "    </testcase>\n";
  }
  yield "  </testsuite>\n";
}

/** A suite for the skills that could not be loaded: a build must not pass without them. */
export function* notLoadedSuite(view: ReportView): Generator<string> {
  const { notLoaded } = view.report;
  if (notLoaded.length === 0) return;
  const name = "skills not loaded";
  yield `  ${xmlTag("testsuite", { name, ...countAttributes(notLoadedCounts(notLoaded)), timestamp: timestamp(view) })}\n`;
  for (const { path, code, reason } of notLoaded) {
    yield `    ${xmlTag("testcase", { name: oneLine(path), classname: name, time: seconds(0) })}\n`;
    yield `      ${xmlTag("error", { message: cutWords(oneLine(reason), messageColumns), type: code }, "empty")}\n`;
    yield "    </testcase>\n";
  }
  yield "  </testsuite>\n";
}

/** The start of the run without fraction and zone, as the format requires. */
export function timestamp({ report }: ReportView): string | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(report.run.startedAt)?.[0];
}
