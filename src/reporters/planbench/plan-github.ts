import { countOf } from "../../base/count-of.ts";
import { listed } from "../../base/listed.ts";
import type { PlanReport, PlanResultReader } from "../../contract/planbench-report.ts";
import { escapeMarkdown } from "../escape-markdown.ts";
import { type Annotation, workflowCommand } from "../github-command.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { describePlanGate, describePlanOpen, describeUnanswered } from "./plan-gate-words.ts";
import { planMarkdownSummary } from "./plan-markdown.ts";
import { planOverview, type StratumOverview } from "./plan-overview.ts";

/** GitHub shows ten annotations of a kind per step and drops the others. */
const annotationsAtMost = 10;
const reasonLimit = 200;
const nameLimit = 80;
const casesNamed = 5;

/** The workflow commands that show on GitHub what did not pass: the gates first, then why samples failed, then how many reasons more. */
export function* planAnnotations(
  report: PlanReport,
  results: PlanResultReader,
  /** The file of the bench, relative to the workspace. */
  file?: string,
): Generator<string> {
  const level = report.exitCode === 0 ? "warning" : "error";
  const reasons = planOverview(results).flatMap((overview) => reasonsOf(overview));
  const gates = verdictsOf(report);
  const told = [...gates, ...reasons].slice(0, Math.max(annotationsAtMost, gates.length));
  for (const words of told) yield workflowCommand({ level, ...words, file });
  const unsaid = gates.length + reasons.length - told.length;
  if (unsaid === 0) return;
  const message = `and ${countOf(unsaid, "more reason")} why samples are not ok; see the report`;
  yield workflowCommand({ level: "notice", title: "eval-skills planbench", message });
}

/** The page of the job: the summary with what failed in each stratum. */
export function* planJobSummary(report: PlanReport, results: PlanResultReader): Generator<string> {
  yield* planMarkdownSummary(report, planOverview(results));
  if (report.files.length > 0) yield `\nFiles: ${report.files.map(escapeMarkdown).join(", ")}\n`;
}

type Words = Pick<Annotation, "title" | "message">;

function verdictsOf(report: PlanReport): Words[] {
  const open = report.exitCode === 3 ? describePlanOpen(report) : null;
  const unanswered = describeUnanswered(report);
  return [
    ...(open === null ? [] : [{ title: "No verdict", message: open }]),
    ...(unanswered === null ? [] : [{ title: "Gate inconclusive", message: unanswered }]),
    ...report.gate.checks
      .filter(({ passed }) => passed !== true)
      .map((check) => ({
        title: check.passed === null ? "Gate inconclusive" : "Gate failed",
        message: describePlanGate(check, report.summary),
      })),
  ];
}

function reasonsOf({ route, failures, errors }: StratumOverview): Words[] {
  const words = (verb: string) => (group: StratumOverview["failures"][number]) => {
    const cases = [...group.cases].map((id) => shortenMiddle(id, nameLimit));
    return {
      title: `${countOf(group.samples, `${route} sample`)} ${verb}`,
      message: `${shortenMiddle(group.reason, reasonLimit)}: ${listed(cases, casesNamed)}`,
    };
  };
  return [...failures.map(words("failed")), ...errors.map(words("without an outcome"))];
}
