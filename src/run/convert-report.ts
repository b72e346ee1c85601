import type { AgentReportFile } from "../contract/agent-report.ts";
import type { PlanReportFile } from "../contract/planbench-report.ts";
import type { CellReader, ReportFile } from "../contract/report.ts";
import type { ReportFormat } from "../contract/report-format.ts";
import type { QueryReader, TriggerReportFile } from "../contract/trigger-report.ts";
import { agentReporterFor } from "./agents/agent-reporters.ts";
import { planReporterFor } from "./planbench/plan-reporters.ts";
import { readUnambiguousReport } from "./read-unambiguous-report.ts";
import { reporterFor } from "./reporters.ts";
import { triggerReporterFor } from "./triggering/trigger-reporters.ts";

type Render = () => Iterable<string>;

/** A report file in another format, piece by piece, as often as it is asked for. */
export async function convertReport(file: string, format: ReportFormat, cwd: string): Promise<Render> {
  const report = readUnambiguousReport(file, cwd);
  switch (report.command) {
    case "trigger":
      return convertTrigger(report, format);
    case "agent eval":
      return convertAgents(report, format);
    case "planbench":
      return convertPlans(report, format);
    default:
      return convertUnit(report, format);
  }
}

async function convertAgents({ results, ...report }: AgentReportFile, format: ReportFormat): Promise<Render> {
  const reporter = await agentReporterFor(format);
  return () => reporter.render(report, () => results);
}

async function convertPlans({ results, ...report }: PlanReportFile, format: ReportFormat): Promise<Render> {
  const reporter = await planReporterFor(format);
  return () => reporter.render(report, () => results);
}

async function convertUnit({ reports, ...envelope }: ReportFile, format: ReportFormat): Promise<Render> {
  const reporter = await reporterFor(format);
  const cellsOf: CellReader = function* (skillId, benchmarkId) {
    for (const skill of reports)
      if (skill.skillId === skillId && (benchmarkId ?? skill.benchmarkId) === skill.benchmarkId)
        for (const cell of skill.taskResults) yield JSON.stringify(cell);
  };
  const report = { ...envelope, reports: reports.map(({ taskResults: _, ...skill }) => skill) };
  return () => reporter.render(report, cellsOf);
}

async function convertTrigger(
  { results, ...envelope }: TriggerReportFile,
  format: ReportFormat,
): Promise<Render> {
  const reporter = await triggerReporterFor(format);
  const queries = new Map(results.map((result) => [result.skillId, result.queries]));
  const queriesOf: QueryReader = (skillId) => queries.get(skillId) ?? [];
  const report = { ...envelope, results: results.map(({ queries: _, ...result }) => result) };
  return () => reporter.render(report, queriesOf);
}
