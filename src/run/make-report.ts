import { rankReports } from "../aggregate/rank-reports.ts";
import { roundReport } from "../aggregate/round-numbers.ts";
import type {
  GateResult,
  JudgeFigures,
  Report,
  RunFacts,
  SkillReport,
  TaskFacts,
} from "../contract/report.ts";
import type { Conclusion } from "./purpose.ts";
import type { OutputOptions } from "./request.ts";

export interface ReportFacts {
  command: Report["command"];
  conclusion: Conclusion;
  judges: JudgeFigures[];
  tasks: TaskFacts[] | undefined;
  run: RunFacts;
  version: string;
  warnings: readonly string[];
  files: string[];
}

/** Puts the document together: figures ranked and gated at full precision, then rounded for writing. */
export function makeReport(facts: ReportFacts, output: OutputOptions): Report {
  const { command, run, version, warnings, files, judges, tasks } = facts;
  const { reports, gate } = facts.conclusion;
  const sum = (count: (report: SkillReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    schemaVersion: 1,
    command,
    tool: { name: "eval-skills", version },
    run,
    passed: sum(({ counts }) => counts.pass),
    total: sum(({ counts }) => counts.total),
    gate,
    reports: rankReports(reports).map(roundReport),
    triggering: [],
    ...(tasks !== undefined && { tasks }),
    ...(judges.length > 0 && { judges }),
    warnings: [...warnings],
    files,
    exitCode: exitCodeOf(reports, gate, output),
  };
}

/** No verdict beats a failed gate: nobody should read "failed" where we simply do not know. */
function exitCodeOf(reports: readonly SkillReport[], gate: GateResult, output: OutputOptions): 0 | 1 | 3 {
  const hasInvalid = reports.some(({ counts }) => counts.invalid > 0);
  if (hasInvalid && !output.allowInvalid) return 3;
  if (gate.enforced && !gate.passed) return 1;
  // No skill has a triggering block that this version could run, so what was required was skipped.
  if (output.requireTriggering) return 1;
  return 0;
}
