import { randomUUID } from "node:crypto";
import { planFold } from "../../aggregate/planbench/plan-fold.ts";
import { isoTime } from "../../base/clock.ts";
import { redactor } from "../../base/redact.ts";
import type { PlanReport, PlanReporter, PlanResultReader } from "../../contract/planbench-report.ts";
import { parseCell } from "../../contract/report.ts";
import { noTelemetry, type Telemetry } from "../../contract/telemetry.ts";
import { type CellsWorld, runCells } from "../run-cells.ts";
import { withSpooledCells } from "../spooled-cells.ts";
import { planReportFiles, shownFiles, writeReports } from "../write-reports.ts";
import { benchHistory } from "./bench-history.ts";
import { benchPart } from "./bench-part.ts";
import type { BenchOutput } from "./bench-request.ts";
import type { BenchSession } from "./bench-session.ts";
import { makePlanReport } from "./make-plan-report.ts";

export interface BenchWorld extends Omit<CellsWorld, "store"> {
  reporters: readonly PlanReporter[];
  version: string;
  cwd: string;
  telemetry?: Telemetry | undefined;
}

export type BenchEnd =
  | ({ state: "done"; report: PlanReport; results: PlanResultReader } & Disposable)
  | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" };

/** Runs every sample that has no outcome yet, and reports over all of them. */
export async function runPlanbench(
  { run, plan, ready, store }: BenchSession,
  output: BenchOutput,
  world: BenchWorld,
): Promise<BenchEnd> {
  const { clock, telemetry = noTelemetry } = world;
  const redact = redactor(ready.secrets());
  const fold = planFold({
    cases: ready.cases.map(({ id, stratum }) => ({ caseId: id, stratum })),
    samples: ready.samples,
    seed: plan.seed,
    hasExecutor: ready.executor !== null,
  });
  const history = benchHistory(ready, plan);
  const answeredBy = new Set<string>();
  const part = benchPart({
    ready,
    world: { runId: run.id, clock, newSession: randomUUID, telemetry, redact },
    add(result, cell) {
      fold.add(result);
      history.add(cell);
      for (const attempt of result.attempts)
        if (attempt.answeredBy !== null && answeredBy.size < mostNames) answeredBy.add(attempt.answeredBy);
    },
  });
  const end = await runCells(
    run,
    {
      parts: [part],
      concurrency: output.concurrency,
      evalLog: output.evalLog,
      containment: ready.sandbox.containment,
      warnings: ready.warnings,
      redact,
      abandon: async () => {},
    },
    { ...world, store },
  );
  if (end.state === "interrupted") return end;

  const finishedAt = isoTime(clock.now());
  const places = { outputDir: output.outputDir, namesBegin: "planbench-result" } as const;
  using files = planReportFiles(world.reporters, places, finishedAt, world.disk);
  const report = makePlanReport(
    {
      run: { id: run.id, startedAt: run.startedAt, finishedAt },
      plan,
      ready,
      fold,
      answeredBy,
      version: world.version,
      warnings: end.warnings,
      files: shownFiles(files.files, world.cwd),
    },
    output,
  );
  return await withSpooledCells(store, run.id, [part], { disk: world.disk }, async (cells) => {
    const results: PlanResultReader = function* () {
      for (const skillId of part.skillIds)
        for (const text of cells.texts(part.suiteId, skillId)) {
          const { plan: last, ...result } = part.resultOf(parseCell(text));
          yield output.includePlan ? { ...result, plan: last } : result;
        }
    };
    writeReports(files.files, (reporter) => reporter.render(report, results), world.disk);
    // Only now: a run whose report could not be written is not done, and `--resume` finds it.
    await store.finishRun(run.id, "done", history.reports(finishedAt), finishedAt);
    end.tell({ type: "run-ended", state: "done" });
    return { state: "done" as const, report, results };
  });
}

const mostNames = 50;
