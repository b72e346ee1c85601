import { rankReports } from "../aggregate/rank-reports.ts";
import { roundReport } from "../aggregate/round-numbers.ts";
import type { JudgeFigures, Report, RunFacts, SkillReport, TaskFacts } from "../contract/report.ts";
import type { TriggeringEntry } from "../contract/trigger-report.ts";
import type { Conclusion } from "./purpose.ts";
import type { OutputOptions } from "./request.ts";
import type { PassEnd } from "./triggering/open-pass.ts";
import { hasForbiddenSkip } from "./triggering/trigger-exit-code.ts";

export interface ReportFacts {
  command: Report["command"];
  conclusion: Conclusion;
  judges: JudgeFigures[];
  tasks: TaskFacts[] | undefined;
  /** What the triggering pass came to; null where there was none. */
  pass: PassEnd | null;
  run: RunFacts;
  version: string;
  warnings: readonly string[];
  files: string[];
}

/** Puts the document together: figures ranked and gated at full precision, then rounded for writing. */
export function makeReport(facts: ReportFacts, output: OutputOptions): Report {
  const { command, run, version, warnings, files, judges, tasks } = facts;
  const { reports, gate } = facts.conclusion;
  const triggering = facts.pass?.entries ?? [];
  const sumQueries = (count: (entry: TriggeringEntry) => number) =>
    triggering.reduce((total, entry) => total + (entry.skipped === null ? count(entry) : 0), 0);
  const sum = (count: (report: SkillReport) => number) =>
    reports.reduce((total, report) => total + count(report), 0);
  return {
    schemaVersion: 1,
    command,
    tool: { name: "eval-skills", version },
    run,
    passed: sum(({ counts }) => counts.pass) + sumQueries(({ passed }) => passed),
    total: sum(({ counts }) => counts.total) + sumQueries(({ queries }) => queries),
    gate,
    reports: rankReports(reports).map(roundReport),
    triggering,
    ...(tasks !== undefined && { tasks }),
    ...(judges.length > 0 && { judges }),
    warnings: [...warnings],
    files,
    exitCode: exitCodeOf({ reports, gate, pass: facts.pass }, output),
  };
}

/** No verdict beats a failed gate: nobody should read "failed" where we simply do not know. */
function exitCodeOf(
  { reports, gate, pass }: Pick<Conclusion, "reports" | "gate"> & { pass: PassEnd | null },
  output: OutputOptions,
): 0 | 1 | 3 {
  const hasInvalid = reports.some(({ counts }) => counts.invalid > 0);
  if ((hasInvalid || isPassUnknown(pass, gate.enforced)) && !output.allowInvalid) return 3;
  if (gate.enforced && (!gate.passed || hasPassFailed(pass))) return 1;
  const entries = pass?.entries ?? [];
  const isSkipped = pass === null || hasForbiddenSkip(entries);
  return output.requireTriggering && isSkipped ? 1 : 0;
}

function isPassUnknown(pass: PassEnd | null, isGated: boolean): boolean {
  if (pass === null) return false;
  const unknown = Object.values(pass.causes).some((count) => count > 0);
  return unknown || (isGated && pass.entries.some(({ gate }) => (gate?.inconclusive.length ?? 0) > 0));
}

/** Queries without a usable answer are shown as failed; whether those count was asked before. */
function hasPassFailed(pass: PassEnd | null): boolean {
  if (pass === null) return false;
  const failed = pass.entries.reduce((sum, entry) => sum + entry.failed, 0) - pass.causes["no-verdict"];
  return failed > 0 || pass.entries.some(({ gate }) => (gate?.below.length ?? 0) > 0);
}
