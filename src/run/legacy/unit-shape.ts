import type { CaseReport, MetricReport, SubjectReport } from "../../contract/document.ts";
import type { CellReader, Rendered } from "../../contract/format.ts";
import type {
  GateResult,
  JudgeFigures,
  LatencyFigures,
  Report,
  SkillReport,
  Summary,
  TaskFacts,
  CellReader as TaskReader,
} from "../../contract/report.ts";
import { type CellResult, parseCell } from "../../contract/result.ts";
import type { TaskResult } from "../../contract/task-result.ts";
import type { UnitDetails } from "../unit-level.ts";
import { triggeringEntries } from "./trigger-shape.ts";

/** A report of `eval` or `run` as the writers of Markdown, HTML and the like read it. */
export function unitShape(report: Rendered, cells: CellReader): { report: Report; cellsOf: TaskReader } {
  const { run, tool, warnings, files, exitCode } = report;
  const subjects = report.suites.flatMap(({ id, level }) =>
    level === "unit"
      ? report.subjects.filter((one) => one.level === level && one.suite === id).sort(byComposite)
      : [],
  );
  const triggering = triggeringEntries(report);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const judged = triggering.filter(({ skipped }) => skipped === null);
  const settings = run.settings as { retries: number; timeoutMs: number; evaluator: string };
  const tasks = tasksIn(report);
  return {
    report: {
      schemaVersion: 1,
      command: run.command === "run" ? "run" : "eval",
      tool,
      run: {
        id: run.id,
        startedAt: run.startedAt,
        finishedAt: run.finishedAt,
        runs: unitTrials(report),
        concurrency: run.concurrency,
        retries: settings.retries,
        timeoutMs: settings.timeoutMs,
        evaluator: settings.evaluator,
        seed: run.seed,
        store: run.store,
        containment: run.containment,
      },
      passed: sum(subjects.map(({ counts }) => counts.pass)) + sum(judged.map(({ passed }) => passed)),
      total: sum(subjects.map(({ counts }) => counts.total)) + sum(judged.map(({ queries }) => queries)),
      gate: gateOf(report),
      reports: subjects.map((subject) => skillReport(subject, report)),
      triggering,
      ...(tasks !== null && { tasks }),
      ...(report.judges.length > 0 && { judges: report.judges as unknown as JudgeFigures[] }),
      warnings,
      files,
      exitCode,
    },
    *cellsOf(skillId, suite) {
      for (const text of cells({ level: "unit", subject: skillId, suite })) yield taskResult(parseCell(text));
    },
  };
}

/** Best composite first; unknown ones last, equal ones by id. */
function byComposite(a: SubjectReport, b: SubjectReport): number {
  const [left, right] = [a.metrics.compositeScore?.value ?? null, b.metrics.compositeScore?.value ?? null];
  if (left !== right && (left === null || right === null)) return left === null ? 1 : -1;
  return (right ?? 0) - (left ?? 0) || ((a.skillId ?? "") < (b.skillId ?? "") ? -1 : 1);
}

function unitTrials({ run }: Rendered): number {
  return (run.settings.runs as number | undefined) ?? run.trials;
}

const shownTasks = 5000;

/** What the tasks asked for; of very many nothing, for a page would have to hold them all. */
function tasksIn(report: Rendered): TaskFacts[] | null {
  const count = report.suites.reduce((sum, { level, cases }) => sum + (level === "unit" ? cases : 0), 0);
  if (count > shownTasks) return null;
  const tasks: TaskFacts[] = [];
  for (const one of report.cases) if (one.level === "unit") tasks.push(taskFacts(one));
  return tasks;
}

function taskFacts({ id, title, input, expected, isShortened }: CaseReport): TaskFacts {
  return { id, description: title, input, expected, isShortened };
}

function gateOf({ gates }: Rendered): GateResult {
  const own = gates.filter(({ level, metric }) => level === "unit" && metric === "completionRate");
  const chosen = gates.find(({ level, metric }) => level === "unit" && metric === "selectedSkills");
  const [first] = own;
  const below = own.flatMap(({ passed, subject }) => (passed === true ? [] : (subject?.skillId ?? [])));
  return {
    minCompletion: first?.threshold ?? 0,
    on: first?.on === "lower" ? "lower" : "point",
    enforced: (chosen ?? first)?.enforced ?? false,
    passed: chosen === undefined ? own.length > 0 && below.length === 0 : chosen.passed === true,
    below,
  };
}

/** The figures of one skill as `eval` has always named them. */
function skillReport(subject: SubjectReport, { run, suites }: Pick<Rendered, "run" | "suites">): SkillReport {
  const { skillId, skillVersion, skillDigest, suite, counts, metrics, byTag, details } = subject;
  const value = (name: string) => metrics[name]?.value ?? null;
  const interval = (name: string): MetricReport["interval"] => metrics[name]?.interval ?? null;
  const own = details as unknown as {
    passAtK: Summary["passAtK"];
    passHatK: Summary["passHatK"];
    maxLatencyMs: number;
    disturbed?: number;
    tokenCost: SkillReport["tokenCost"];
    selected?: boolean;
    rank?: number | null;
  };
  const latency: LatencyFigures = {
    p50Ms: value("latencyP50Ms"),
    p95Ms: value("latencyP95Ms"),
    p99Ms: value("latencyP99Ms"),
    latP95Norm: value("latP95Norm"),
    maxLatencyMs: own.maxLatencyMs,
    ...(own.disturbed !== undefined && { disturbed: own.disturbed }),
  };
  return {
    skillId: skillId ?? "",
    skillVersion,
    skillDigest,
    benchmarkId: suite,
    benchmarkVersion: suites.find(({ id, level }) => id === suite && level === subject.level)?.version ?? "",
    timestamp: run.finishedAt,
    counts,
    summary: {
      completionRate: value("completionRate"),
      partialScore: value("partialScore"),
      errorRate: value("errorRate"),
      consistencyScore: value("consistencyScore"),
      flakeRate: value("flakeRate"),
      compositeScore: value("compositeScore"),
      intervals: { completionRate: interval("completionRate"), partialScore: interval("partialScore") },
      passAtK: own.passAtK,
      passHatK: own.passHatK,
    },
    latency,
    tokenCost: own.tokenCost,
    byTag,
    ...(own.selected !== undefined && { selected: own.selected, rank: own.rank ?? null }),
  };
}

/** A cell of a task as those writers read it. */
export function taskResult(cell: CellResult): TaskResult {
  const { cause, reason } = cell;
  const { scorerType = "custom", weight = 1, tags = [] } = cell.details as Partial<UnitDetails>;
  // One literal, for it is made once per cell and format.
  const result: TaskResult = {
    taskId: cell.caseId,
    skillId: cell.skillId ?? "",
    trial: cell.trial,
    taskDigest: cell.caseDigest,
    cellKey: cell.key,
    status: cell.status,
    score: cell.score,
    latencyMs: cell.latencyMs,
    scorerType,
    reason: cause === null ? reason : null,
    output: cell.output,
    outputTruncated: cell.outputTruncated,
    outputBytes: cell.outputBytes,
    error: cause === null ? null : { code: cause, message: reason ?? "" },
    usage: cell.usage,
    judge: cell.judge,
    weight,
    tags,
    attempts: cell.attempts,
    containment: cell.containment,
    beganAtMs: cell.beganAtMs,
    finishedAt: cell.finishedAt,
  };
  if (cell.warnings.length > 0) result.warnings = cell.warnings;
  for (const name of optionalMembers)
    if (cell[name] !== undefined) Object.assign(result, { [name]: cell[name] });
  return result;
}

const optionalMembers = [
  "outputSha256",
  "rawBase64",
  "startupMs",
  "stderrTail",
  "stray",
  "network",
] as const satisfies readonly (keyof CellResult & keyof TaskResult)[];
