import { existsSync } from "node:fs";
import { join } from "node:path";
import { caseLines, caseMarkdown } from "../../cases/view/case-text.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import { projectRoot } from "../../engine/request.ts";
import { findRun } from "../../operations/agent/find-run.ts";
import { findCase, gradeRuns } from "../../operations/agent/grade-runs.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { inertJson } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { writeOutput } from "../io/write-output.ts";
import type { AgentGradeFlags } from "./agent-options.ts";

/** `agent grade`: judges a recorded run again, without running anything or writing to it. */
export async function agentGradeCommand(flags: AgentGradeFlags, io: CommandIo): Promise<ExitCode> {
  const { cwd } = io;
  const { files, permissions } = await loadCommandConfig(io);
  const runsDir = flags.runsDir;
  const formats = flags.runs.filter(
    (run) => ["text", "json", "markdown"].includes(run) && !existsSync(join(cwd, run)),
  );
  if (formats.length > 0)
    throw new UserError("usage", `agent grade writes one format, and ${formats.join(", ")} is not a run`, {
      hint: "pass --format once, with one value",
    });
  const dirs = flags.runs.map((run) => findRun(run, { cwd, runsDir }));
  const loaded = await findCase(flags.case, { cwd, projectRoot: projectRoot(files, cwd) });
  permissions.require(loaded.asks.filter(({ kind }) => kind === "read"));
  const reports = await gradeRuns(dirs, loaded);
  const exitCode = gradeExitCode(reports);
  const results = reports.map((report, n) => ({ ...report, run_dir: nearPath(dirs[n] as string, cwd) }));
  const document = { results, exitCode };
  const text = renderReports(reports, flags.format, document, io);
  if (flags.output === undefined) {
    io.result(document, text);
    return exitCode;
  }
  writeOutput(flags.output, [text.endsWith("\n") ? text : `${text}\n`], io);
  io.result({ ...document, output: flags.output }, `written to ${flags.output}`);
  return exitCode;
}

function renderReports(
  reports: readonly CaseReport[],
  format: AgentGradeFlags["format"],
  document: object,
  { color, width }: CommandIo,
): string {
  if (format === "json") return inertJson({ schemaVersion: 1, command: "agent grade", ...document });
  if (format === "markdown") return reports.map(caseMarkdown).join("\n");
  return reports.map((report) => caseLines(report, { color, width })).join("\n");
}

/** No verdict beats a failure: nobody should read "failed" where we simply do not know. */
function gradeExitCode(reports: readonly CaseReport[]): 0 | 1 | 3 {
  if (reports.some(({ pass }) => pass === null)) return 3;
  return reports.some(({ pass }) => pass === false) ? 1 : 0;
}
