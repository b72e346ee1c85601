import type { MergedFacts } from "../../engine/prepared-run.ts";
import type { RunContext } from "../../engine/run-context.ts";
import type { RunOutput } from "../../engine/run-levels.ts";
import { unchosenRouter } from "../../levels/trigger/choose-judge.ts";
import { estimateTriggers } from "../../levels/trigger/estimate.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { type EvalOptions, evalTable } from "../../levels/unit/options.ts";
import { prepareRun, type ReadyRun } from "../../operations/eval/preflight.ts";
import {
  evalOutput,
  type OutputOptions,
  outputOptions,
  type PlanOptions,
  planOptions,
} from "../../operations/eval/request.ts";
import { type EvalSession, evalSessions } from "../../operations/eval/session.ts";
import { padWidth, textWidth } from "../../report/text/text-width.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { endDryRun } from "../io/end-dry-run.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { type LevelCommand, runLevelCommand } from "./level-command.ts";

/** Skills against a benchmark; `run` changes some of it. */
export const evalLevelCommand: LevelCommand<
  EvalOptions,
  PlanOptions,
  EvalSession["ready"],
  RunContext,
  OutputOptions & RunOutput
> = {
  command: "eval",
  table: evalTable,
  sessions: evalSessions,
  plan: planOptions,
  output: (options, loaded, cwd) => evalOutput(outputOptions(options, loaded, cwd)),
  context: ({ configuredModels, ...facts }) => ({ ...facts, models: configuredModels }),
  dryRun,
  announce({ ready }, { judges }, io) {
    const { containment } = ready.sandbox;
    if (containment.level !== "strict") io.warn(describeContainment(containment));
    const asksModel = ready.judges.length > 0 || ready.triggers?.subjects.some(({ judge }) => judge?.isPaid);
    if (!asksModel) warnOfIdleFlags(judges, io);
    const note =
      ready.triggers &&
      unchosenRouter(ready.triggers.subjects, "triggering.judge.model in eval.yaml names one");
    if (note !== null) io.note(note);
  },
};

/** `eval`: skills against a benchmark, from the command line to the exit code. */
export function evalCommand(options: EvalOptions, io: CommandIo, merged?: MergedFacts): Promise<ExitCode> {
  return runLevelCommand(evalLevelCommand, options, io, merged);
}

/** `eval --dry-run`: everything is loaded, checked and counted; nothing is called, created or written. */
export async function dryRun(plan: PlanOptions, context: RunContext, io: CommandIo): Promise<ExitCode> {
  // A dry run makes no calls, so it must not create the folder for recordings.
  const judges = { ...context.judges, record: null };
  await using ready = await prepareRun(plan, { ...context, judges, isDryRun: true });
  const scorers: Record<string, number> = {};
  for (const { scorer } of ready.tasks) scorers[scorer.type] = (scorers[scorer.type] ?? 0) + 1;
  const document = {
    skills: ready.skills.map(({ skill }) => skill.id),
    benchmark: ready.benchmark.id,
    tasks: ready.tasks.length,
    runs: plan.runs,
    cells: ready.suite.cells.size,
    scorers,
    ...(ready.triggers !== null && { triggering: await estimateTriggers(ready.triggers) }),
  };
  return endDryRun(ready, document, describe(document, ready), io);
}

function judgmentsIn({ subjects }: ReadyTriggers): number {
  return subjects.reduce((sum, { queries, repeats }) => sum + queries.length * repeats, 0);
}

function describe(
  document: { skills: string[]; benchmark: string; tasks: number; runs: number; cells: number },
  ready: ReadyRun,
): string {
  const deadlines = new Map<string, number>();
  for (const {
    case: { task },
    trial,
    deadlineMs,
  } of ready.suite.cells) {
    if (trial > 1) break;
    deadlines.set(task.id, Math.max(deadlineMs, deadlines.get(task.id) ?? 0));
  }
  const rows = ready.tasks.map(({ task, scorer }) => [
    visibleText(task.id),
    scorer.type,
    `${deadlines.get(task.id)} ms`,
  ]);
  const columnWidth = (column: number) => Math.max(...rows.map((row) => textWidth(row[column] ?? "")));
  const widths = [columnWidth(0), columnWidth(1), 0];
  const { skills, benchmark, tasks, runs, cells } = document;
  return [
    `skills     ${skills.join(", ")}`,
    `benchmark  ${visibleText(benchmark)} (${pluralize(tasks, "task")})`,
    `cells      ${pluralize(skills.length, "skill")} × ${pluralize(tasks, "task")} × ${pluralize(runs, "run")} = ${cells}`,
    ...(ready.triggers === null ? [] : [`triggering ${pluralize(judgmentsIn(ready.triggers), "judgment")}`]),
    "",
    ...rows.map((row) => row.map((text, column) => padWidth(text, widths[column] ?? 0)).join("  ")),
    "",
    "nothing was run",
  ].join("\n");
}
