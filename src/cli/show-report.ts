import { subjectName } from "../contract/cell.ts";
import type { DoneRun } from "./carry-session-out.ts";
import type { CommandIo } from "./command-io.ts";
import { isOnGithub } from "./github-sink.ts";

/** Prints a report as the one result of a command: the document, or the lines that its level has for people. */
export async function showReport(done: DoneRun, io: CommandIo): Promise<void> {
  if (io.json) {
    const { jsonFormat } = await import("../reporters/document-json.ts");
    io.resultPieces(jsonFormat.render(done.report, done.cells));
  } else io.result({}, await reportLines(done, io));
}

/** A report for people. */
export async function reportLines({ report, cells }: DoneRun, { color, width }: CommandIo): Promise<string> {
  const { legacyShape } = await import("../run/legacy/shapes.ts");
  const shape = legacyShape(report, cells);
  switch (shape?.kind) {
    case "unit":
      return (await import("../reporters/result-lines.ts")).resultLines(shape.report, color, shape.cellsOf);
    case "trigger":
      return (await import("../reporters/trigger-lines.ts")).triggerLines(shape.report, shape.queriesOf, {
        color,
        width,
      });
    case "agent":
      return (await import("../reporters/agent/agent-lines.ts")).agentLines(shape.report, shape.results, {
        color,
        width,
      });
    case "planbench":
      return (await import("../reporters/planbench/plan-lines.ts")).planLines(shape.report, shape.results, {
        color,
        width,
      });
    case undefined:
      return subjectLines({ report });
    default:
      return shape satisfies never;
  }
}

/** What every level has: its subjects, and how many of their cells passed. */
function subjectLines({ report }: Pick<DoneRun, "report">): string {
  const lines = report.subjects.map((subject) => {
    const { pass, total, invalid } = subject.counts;
    const unknown = invalid === 0 ? "" : `, ${invalid} without a verdict`;
    return `${subjectName(subject)} on ${subject.suite}: ${pass} of ${total} passed${unknown}`;
  });
  return [...lines, "", `${report.passed} of ${report.total} passed`].join("\n");
}

/** On GitHub Actions: annotates what did not pass and adds to the page of the job. */
export async function annotateGithub({ report, cells, suites }: DoneRun, io: CommandIo): Promise<void> {
  if (!isOnGithub(io)) return;
  const { legacyShape } = await import("../run/legacy/shapes.ts");
  const github = await import("./github.ts");
  const shape = legacyShape(report, cells);
  const fileOf = (skillId: string | null, suite?: string, caseId = "") =>
    suites
      .filter(({ id }) => suite === undefined || id === suite)
      .map((one) => one.fileOf?.({ skillId, model: null, arm: null }, caseId))
      .find((file) => file !== undefined);
  switch (shape?.kind) {
    case "unit":
      return github.tellGithub(shape.report, shape.cellsOf, io, (skillId) => fileOf(skillId));
    case "trigger":
      return github.tellGithubOfTriggers(shape.report, shape.queriesOf, io, (skillId) => fileOf(skillId));
    case "agent":
      return github.tellGithubOfAgents(shape.report, shape.results, io, (suite, caseId) =>
        fileOf(null, suite, caseId),
      );
    case "planbench":
      return github.tellGithubOfPlans(shape.report, shape.results, io, fileOf(null));
    case undefined:
      return;
    default:
      return shape satisfies never;
  }
}
