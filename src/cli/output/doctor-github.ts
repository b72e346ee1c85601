import { type DiagnosticSeverity, diagnosticSeverities } from "../../contract/findings.ts";
import type { DoctorReport } from "../../operations/doctor/doctor-report.ts";
import { type Annotation, workflowCommand } from "../../report/text/github-command.ts";
import { shortenMiddle } from "../../report/text/text-width.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { namedDiagnostics } from "./named-diagnostics.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const maxAnnotations = 10;
const messageLimit = 400;

/** A file as the repository names it; undefined where it lies outside. */
export type FileInWorkspace = (file: string) => string | undefined;

/** The workflow commands that show on GitHub what was found: errors first, as many as it shows, and how many more there are. */
export function* doctorGithub(report: DoctorReport, inWorkspace: FileInWorkspace): Generator<string> {
  const found = namedDiagnostics(report);
  const left: string[] = [];
  for (const severity of diagnosticSeverities) {
    const ofSeverity = found.filter((diagnostic) => diagnostic.severity === severity);
    for (const { code, skill, file, line, column, message, hint } of ofSeverity.slice(0, maxAnnotations)) {
      const location: Pick<Annotation, "file" | "line" | "column"> = {
        file: inWorkspace(file),
        line,
        column,
      };
      const title = `${code} in ${shortenMiddle(skill, 80)}`;
      yield workflowCommand({
        level: severity,
        title,
        message: `${shortenMiddle(message, messageLimit)} (${hint})`,
        ...location,
      });
    }
    if (ofSeverity.length > maxAnnotations) left.push(more(ofSeverity.length, severity));
  }
  if (left.length === 0) return;
  const message = `and ${left.join(" and ")}: GitHub shows ${maxAnnotations} per severity; run eval-skills doctor --format text to see all`;
  yield workflowCommand({ level: "notice", title: "eval-skills doctor", message });
}

function more(count: number, severity: DiagnosticSeverity): string {
  return pluralize(count - maxAnnotations, `more ${severity}`);
}
