import { isoTime } from "../base/clock.ts";
import type { CanaryFigures, CellReader, Report, Reporter } from "../contract/report.ts";
import { askCanariesOf, canaryWarnings } from "./ask-canaries.ts";
import type { EvalSession } from "./eval-session.ts";
import { foldResults, type ResultFold } from "./fold-results.ts";
import { makeReport } from "./make-report.ts";
import type { Part } from "./part.ts";
import type { ReadyRun } from "./preflight.ts";
import { evalPurpose, type Purpose } from "./purpose.ts";
import { reportsToKeep } from "./reports-to-keep.ts";
import type { OutputOptions, PlanOptions } from "./request.ts";
import { type CellsWorld, runCells } from "./run-cells.ts";
import { withSpooledCells } from "./spooled-cells.ts";
import { factsOfTasks } from "./task-facts.ts";
import { taskLine } from "./task-line.ts";
import { openPass } from "./triggering/open-pass.ts";
import { planReportFiles, shownFiles, writeReports } from "./write-reports.ts";

export interface RunWorld extends Omit<CellsWorld, "store"> {
  reporters: readonly Reporter[];
  version: string;
  cwd: string;
}

export type RunEnd =
  | ({ state: "done"; report: Report; cellsOf: CellReader } & Disposable)
  | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" };

/** Executes every cell of a run that has no verdict yet, and reports over all of them. */
export async function runEval(
  { run, plan, ready, store }: Omit<EvalSession, typeof Symbol.asyncDispose>,
  output: OutputOptions,
  world: RunWorld,
  purpose: Purpose = evalPurpose(output),
): Promise<RunEnd> {
  const { clock, disk } = world;
  const { benchmark } = ready;
  const results = foldResults(ready, plan);
  const tasks = unitPart(plan, ready, results);
  const pass = await openPass({ run, plan, ready }, output.concurrency);
  let canaries: ReadonlyMap<string, CanaryFigures> = new Map();
  const end = await runCells(
    run,
    {
      parts: pass === null ? [tasks] : [tasks, pass.part],
      concurrency: output.concurrency,
      evalLog: output.evalLog,
      containment: ready.sandbox.containment,
      warnings: ready.warnings,
      redact: ready.redact,
      beside: async (signal) => {
        canaries = await askCanariesOf(ready.judges, signal);
      },
      abandon: () => ready.sandbox[Symbol.asyncDispose](),
    },
    { ...world, store },
  );
  if (end.state === "interrupted") return end;

  const finishedAt = isoTime(clock.now());
  const conclusion = purpose.conclude(
    results.reports(finishedAt),
    ready.skills.map(({ skill }) => skill),
  );
  const doubts = canaryWarnings(canaries);
  for (const message of doubts) end.tell({ type: "warning", message });
  using places = planReportFiles(world.reporters, output, finishedAt, disk);
  const report = makeReport(
    {
      command: purpose.command,
      conclusion,
      judges: results.judges(canaries),
      tasks: ready.redact(factsOfTasks(ready.tasks)),
      pass: pass && (await pass.conclude(output.gateOn)),
      run: runFacts({ run, plan, ready }, output, finishedAt),
      version: world.version,
      warnings: [...end.warnings, ...doubts],
      files: shownFiles(places.files, world.cwd),
    },
    output,
  );
  return await withSpooledCells(store, run.id, [tasks], { disk }, async (cells) => {
    const cellsOf: CellReader = (skillId) => cells.texts(benchmark.id, skillId);
    writeReports(places.files, (reporter) => reporter.render(report, cellsOf), disk);
    // Only now: a run whose report could not be written is not done, and `--resume` finds it.
    const kept = [...reportsToKeep(plan, conclusion), ...(pass?.reportsToKeep(finishedAt) ?? [])];
    await store.finishRun(run.id, "done", kept, finishedAt);
    end.tell({ type: "run-ended", state: "done" });
    return { state: "done" as const, report, cellsOf };
  });
}

/** The tasks of the benchmark. */
function unitPart({ retries, seed }: PlanOptions, ready: ReadyRun, results: ResultFold): Part {
  const { skills, benchmark, plan, execute, checkOutput, stampOf } = ready;
  const digests = new Map(skills.map(({ skill }) => [skill.id, skill.digest]));
  const facts = { benchmarkId: benchmark.id, seed, digests };
  return {
    suiteId: benchmark.id,
    skillIds: skills.map(({ skill }) => skill.id),
    plan,
    execute,
    checkOutput,
    stampOf,
    retries,
    add: results.add,
    lineOf: (result) => taskLine(result, facts),
  };
}

function runFacts(
  { run, plan, ready: { sandbox } }: Pick<EvalSession, "run" | "plan" | "ready">,
  output: OutputOptions,
  finishedAt: string,
): Report["run"] {
  const { runs, retries, timeoutMs, evaluator, seed } = plan;
  return {
    id: run.id,
    startedAt: run.startedAt,
    finishedAt,
    runs,
    concurrency: output.concurrency,
    retries,
    timeoutMs,
    evaluator,
    seed,
    store: output.store,
    containment: sandbox.containment,
  };
}
