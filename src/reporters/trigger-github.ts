import type { QueryReader, TriggerReport } from "../contract/trigger-report.ts";
import { describeInconclusive } from "./describe-inconclusive.ts";
import { standingOf } from "./describe-query.ts";
import { countQueries } from "./describe-trigger-counts.ts";
import { describeTriggerGate } from "./describe-trigger-gate.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import type { FileOfSkill } from "./github.ts";
import { type Annotation, workflowCommand } from "./github-command.ts";
import { queryAnnotation } from "./github-query.ts";
import { markdownConfusion } from "./markdown-confusion.ts";
import { markdownQueries } from "./markdown-queries.ts";
import { markdownTriggerSummary } from "./trigger-markdown.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const annotationsAtMost = 10;

/** The workflow commands that show on GitHub which queries did not pass: the gate first, then the queries, then how many more. */
export function* triggerAnnotations(
  report: TriggerReport,
  queriesOf: QueryReader,
  fileOf: FileOfSkill = () => undefined,
): Generator<string> {
  const level = report.exitCode === 0 ? "warning" : "error";
  let room = annotationsAtMost;
  for (const words of verdictsOf(report)) {
    yield workflowCommand({ level, ...words });
    room--;
  }
  let unsaid = 0;
  for (const { skillId, failed, inconclusive } of report.results) {
    let missing = failed + inconclusive;
    if (missing > 0 && room > 0)
      for (const query of queriesOf(skillId)) {
        if (standingOf(query) === "passed") continue;
        yield workflowCommand({ level, ...queryAnnotation(query, skillId), file: fileOf(skillId) });
        missing--;
        room--;
        if (missing === 0 || room === 0) break;
      }
    unsaid += missing;
  }
  if (unsaid === 0) return;
  const message = `and ${countQueries(unsaid, "more")} that did not pass; see the report`;
  yield workflowCommand({ level: "notice", title: "eval-skills trigger", message });
}

/** The page of the job: the summary, who is taken for whom, and per skill what did not pass. */
export function* triggerJobSummary(report: TriggerReport, queriesOf: QueryReader): Generator<string> {
  yield* markdownTriggerSummary(report);
  yield* markdownConfusion(report);
  for (const { skillId, failed, inconclusive } of report.results) {
    if (failed + inconclusive === 0) continue;
    yield `\n## ${escapeMarkdown(skillId)}\n\n`;
    yield* markdownQueries(queriesOf(skillId), skillId, ", see the report");
  }
  if (report.files.length > 0) yield `\nFiles: ${report.files.map(escapeMarkdown).join(", ")}\n`;
}

function verdictsOf(report: TriggerReport): Pick<Annotation, "title" | "message">[] {
  const open = report.exitCode === 3 ? describeInconclusive(report) : null;
  const gate = report.gate.passed ? null : describeTriggerGate(report.gate);
  return [
    ...(open === null ? [] : [{ title: "No verdict", message: open }]),
    ...(gate === null
      ? []
      : [{ title: gate.startsWith("Gate failed") ? "Gate failed" : "Gate inconclusive", message: gate }]),
  ];
}
