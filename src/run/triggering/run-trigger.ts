import { isoTime } from "../../base/clock.ts";
import { redactor } from "../../base/redact.ts";
import type { Containment } from "../../contract/containment.ts";
import { parseCell } from "../../contract/report.ts";
import type { QueryReader, TriggerReport, TriggerReporter } from "../../contract/trigger-report.ts";
import { type CellsWorld, runCells } from "../run-cells.ts";
import { withSpooledCells } from "../spooled-cells.ts";
import { planReportFiles, shownFiles, writeReports } from "../write-reports.ts";
import { makeTriggerReport } from "./make-trigger-report.ts";
import { triggerFigures } from "./trigger-figures.ts";
import { triggerPart } from "./trigger-part.ts";
import type { TriggerOutput } from "./trigger-request.ts";
import type { TriggerSession } from "./trigger-session.ts";

export interface TriggerWorld extends Omit<CellsWorld, "store"> {
  reporters: readonly TriggerReporter[];
  version: string;
  cwd: string;
}

export type TriggerEnd =
  | ({ state: "done"; report: TriggerReport; queriesOf: QueryReader } & Disposable)
  | { state: "interrupted"; signal: "SIGINT" | "SIGTERM" };

/** Nothing of a skill is executed: only its card is shown. */
export const nothingRuns: Containment = { level: "off", backend: null, network: "none", unproven: [] };

/** Has every query judged that has no verdict yet, and reports over all of them. */
export async function runTrigger(
  { run, plan, ready, store }: TriggerSession,
  output: TriggerOutput,
  world: TriggerWorld,
): Promise<TriggerEnd> {
  const figures = triggerFigures(ready, plan.seed);
  const { concurrency } = output;
  const { seed, timeoutMs } = plan;
  const part = triggerPart(ready, {
    seed,
    concurrency,
    timeoutMs,
    firstPosition: 0,
    startedAt: run.startedAt,
    add: figures.add,
  });
  const end = await runCells(
    run,
    {
      parts: [part],
      concurrency,
      evalLog: output.evalLog,
      containment: nothingRuns,
      warnings: ready.warnings,
      redact: redactor(ready.judges.secrets()),
      abandon: async () => {},
    },
    { ...world, store },
  );
  if (end.state === "interrupted") return end;

  const finishedAt = isoTime(world.clock.now());
  const results = await figures.results(output.gate, output.gateOn);
  using places = planReportFiles(
    world.reporters,
    { outputDir: output.outputDir, namesBegin: "trigger-result" },
    finishedAt,
    world.disk,
  );
  const report = makeTriggerReport(
    {
      run: { id: run.id, startedAt: run.startedAt, finishedAt },
      plan,
      results,
      causes: figures.causes,
      version: world.version,
      warnings: end.warnings,
      files: shownFiles(places.files, world.cwd),
    },
    output,
  );
  return await withSpooledCells(store, run.id, [part], { disk: world.disk }, async (cells) => {
    const queriesOf: QueryReader = function* (skillId) {
      for (const text of cells.texts(part.suiteId, skillId)) yield part.queryLineOf(parseCell(text));
    };
    writeReports(places.files, (reporter) => reporter.render(report, queriesOf), world.disk);
    // Only now: a run whose report could not be written is not done, and `--resume` finds it.
    await store.finishRun(run.id, "done", figures.reportsToKeep(plan, finishedAt), finishedAt);
    end.tell({ type: "run-ended", state: "done" });
    return { state: "done" as const, report, queriesOf };
  });
}
