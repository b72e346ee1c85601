import { countOf } from "../base/count-of.ts";
import type { CellReader, Report } from "../contract/report.ts";
import { describeGate } from "./describe-gate.ts";
import { describeInvalid } from "./describe-invalid.ts";
import { describeOutcome } from "./describe-outcome.ts";
import { standingOf } from "./describe-query.ts";
import { countQueries } from "./describe-trigger-counts.ts";
import { describeTriggering } from "./describe-triggering.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { type Annotation, workflowCommand } from "./github-command.ts";
import { queryAnnotation } from "./github-query.ts";
import { markdownSummary } from "./markdown.ts";
import { notPassedList } from "./markdown-skill.ts";
import { triggeringSection } from "./markdown-triggering.ts";
import { countNotPassed } from "./not-passed.ts";
import { shortenMiddle } from "./shorten-middle.ts";
import { countIn, describeTrials, type TaskNotPassed, tasksNotPassed } from "./tasks-not-passed.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const annotationsAtMost = 10;
const messageLimit = 400;

/** The file an annotation points to, relative to the workspace; undefined where none fits. */
export type FileOfSkill = (skillId: string) => string | undefined;

/** The workflow commands that show on GitHub what did not pass: the gate first, then the first results, then how many more. */
export function* githubAnnotations(
  report: Report,
  cellsOf: CellReader,
  fileOf: FileOfSkill = () => undefined,
): Generator<string> {
  const level = report.exitCode === 0 ? "warning" : "error";
  const { runs } = report.run;
  let room = annotationsAtMost;
  for (const { title, message } of verdicts(report)) {
    yield workflowCommand({ level, title, message });
    room--;
  }
  let unsaid = 0;
  for (const skill of report.reports) {
    unsaid += countNotPassed(skill);
    for (const task of tasksNotPassed(skill, runs, cellsOf, room)) {
      yield workflowCommand({ level, ...wordsFor(task, runs), file: fileOf(skill.skillId) });
      room--;
      unsaid -= countIn(task);
    }
  }
  let unsaidQueries = 0;
  for (const { skillId, failed, inconclusive, results = [] } of report.triggering) {
    unsaidQueries += failed + inconclusive;
    for (const query of results.filter((one) => standingOf(one) !== "passed").slice(0, Math.max(0, room))) {
      yield workflowCommand({ level, ...queryAnnotation(query, skillId), file: fileOf(skillId) });
      room--;
      unsaidQueries--;
    }
  }
  if (unsaid + unsaidQueries === 0) return;
  const rest = [
    ...(unsaid > 0 ? [countOf(unsaid, "more result")] : []),
    ...(unsaidQueries > 0 ? [countQueries(unsaidQueries, "more trigger")] : []),
  ];
  const message = `and ${rest.join(" and ")} that did not pass; see the report`;
  yield workflowCommand({ level: "notice", title: "eval-skills", message });
}

/** The page of the job: the summary, and per skill what did not pass. */
export function* githubSummary(report: Report, cellsOf: CellReader): Generator<string> {
  yield* markdownSummary(report);
  for (const skill of report.reports) {
    if (countNotPassed(skill) === 0) continue;
    yield `\n## ${escapeMarkdown(skill.skillId)}\n`;
    yield* notPassedList(skill, report, cellsOf, ", see the report");
  }
  yield* triggeringSection(report, ", see the report");
  if (report.files.length > 0) yield `\nFiles: ${report.files.map(escapeMarkdown).join(", ")}\n`;
}

function verdicts(report: Report): Pick<Annotation, "title" | "message">[] {
  const invalid = report.exitCode === 3 ? describeInvalid(report) : null;
  const triggering = describeTriggering(report);
  return [
    ...(invalid === null ? [] : [{ title: "No verdict", message: invalid }]),
    ...(report.gate.enforced && !report.gate.passed
      ? [{ title: "Gate failed", message: describeGate(report) }]
      : []),
    ...(triggering === null ? [] : [{ title: "Triggering failed", message: triggering }]),
  ];
}

function wordsFor(task: TaskNotPassed, runs: number): Pick<Annotation, "title" | "message"> {
  const { skillId, taskId, status } = task.cell;
  const why = shortenMiddle(describeOutcome(task.cell), messageLimit);
  return {
    title: `${skillId}: ${shortenMiddle(taskId, 100)} ${describeTrials(task, runs)}`,
    message: why === "" ? status : why,
  };
}
