import type { FailedCase, ReportView, SubjectView } from "../../contract/format.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { grouped } from "../text/format-numbers.ts";
import { type Annotation, workflowCommand } from "../text/github-command.ts";
import { isOpen, showCommand } from "./outline.ts";
import { subjectKey } from "./view-report.ts";
import { cutWords, limitLines, oneLine, textLines } from "./wrap-words.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const maxAnnotations = 10;
const maxTitleColumns = 200;
const maxMessageLines = 8;
const maxLineColumns = 600;

/** Workflow commands that mark what did not pass at the file of its case: the verdict first, then the first cases, then how many more. */
export function* annotations(view: ReportView): Generator<string> {
  const { verdict, report } = view;
  const remaining = { error: maxAnnotations, warning: maxAnnotations };
  if (report.exitCode !== 0) {
    remaining.error--;
    const message = verdict.reasons.length === 0 ? [verdict.words] : verdict.reasons.map(oneLine);
    yield workflowCommand({
      level: "error",
      title: verdict.words,
      message: limitLines(message, maxMessageLines),
    });
  }
  let left = 0;
  for (const subject of view.subjects.filter(isOpen)) {
    const kind = failsRun(view, subject) ? "error" : "warning";
    const { cases, more } = view.failures(subject, Math.max(remaining.error, remaining.warning));
    left += more;
    for (const one of cases) {
      const level = one.status === "invalid" ? "warning" : kind;
      const marks = annotationsOf(one, subject, view);
      if (remaining[level] === 0) left++;
      for (const mark of marks.slice(0, remaining[level])) {
        remaining[level]--;
        yield workflowCommand({ level, ...mark });
      }
    }
  }
  if (left === 0) return;
  const message = `and ${grouped(left)} more that did not pass; ${oneLine(showCommand(report))}`;
  yield workflowCommand({ level: "notice", title: verdict.words, message });
}

/** Whether the run failed because of this subject. */
function failsRun({ report }: ReportView, { subject }: SubjectView): boolean {
  if (report.exitCode === 0) return false;
  return report.gates.some(
    ({ enforced, passed, level, subject: gated }) =>
      enforced &&
      passed !== true &&
      level === subject.level &&
      (gated === null || subjectKey({ level, ...gated }) === subjectKey(subject)),
  );
}

/** One at each place that is wrong, where that is known; else one for the case. */
function annotationsOf(one: FailedCase, subject: SubjectView, view: ReportView): Omit<Annotation, "level">[] {
  const wrong = view.findings(one.cell).filter(({ tone }) => tone === "bad");
  if (wrong.length === 0)
    return [{ ...annotationWords(one, subject), file: view.options.fileOf?.(one.cell) }];
  return wrong.map(({ rule, file, line, column, message, fix }) => ({
    title: cutWords(visibleText(`${subject.name}: ${rule}${ownerWords(subject)}`), maxTitleColumns),
    message: [message, ...(fix === "" ? [] : [fix])].map((words) => cutWords(oneLine(words), maxLineColumns)),
    ...{ file, line, column },
  }));
}

/** ` (@docs-team)`; empty where nobody looks after it. */
function ownerWords({ subject: { owner } }: SubjectView): string {
  return owner === undefined ? "" : ` (${owner})`;
}

function annotationWords(one: FailedCase, subject: SubjectView): Pick<Annotation, "title" | "message"> {
  const reason = one.reason === "" ? [one.words] : textLines(one.reason);
  const title = one.title === null || one.title === "" ? [] : [oneLine(one.title)];
  return {
    title: cutWords(
      visibleText(`${subject.name}: ${one.caseId} ${one.words}${ownerWords(subject)}`),
      maxTitleColumns,
    ),
    message: [...title, ...limitLines(reason, maxMessageLines)].map((line) => cutWords(line, maxLineColumns)),
  };
}
