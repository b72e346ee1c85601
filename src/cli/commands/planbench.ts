import { strata } from "../../contract/planbench-file.ts";
import type { MergedFacts } from "../../engine/prepared-run.ts";
import { type PlanbenchOptions, planbenchTable } from "../../levels/planbench/options.ts";
import { type BenchContext, prepareBench } from "../../levels/planbench/prepare.ts";
import { type BenchPlan, benchOutput, benchPlan } from "../../levels/planbench/request.ts";
import { benchSessions } from "../../levels/planbench/session.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { endDryRun } from "../io/end-dry-run.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { runLevelCommand } from "./level-command.ts";

/** `planbench`: plans of a model or a service, measured, from the command line to the exit code. */
export function planbenchCommand(
  options: PlanbenchOptions,
  io: CommandIo,
  merged?: MergedFacts,
): Promise<ExitCode> {
  return runLevelCommand(
    {
      command: "planbench",
      table: planbenchTable,
      sessions: benchSessions,
      plan: benchPlan,
      output: benchOutput,
      context: (
        { env, version, judges, exclude, storePath, concurrency, configuredModels },
        { includePlan },
      ) => ({
        env,
        version,
        models: judges,
        exclude,
        storePath,
        concurrency,
        includePlan,
        configuredModels,
      }),
      dryRun: planbenchDryRun,
      announce({ ready: { containment, isolation, target } }, { models }) {
        if (isolation !== null && containment.level !== "strict") io.warn(describeContainment(containment));
        if (!target.callsModel) warnOfIdleFlags(models, io);
      },
    },
    options,
    io,
    merged,
  );
}

/** `planbench --dry-run`: everything is read, checked, routed and counted; nothing is run, and nothing is written. */
export async function planbenchDryRun(
  plan: BenchPlan,
  context: BenchContext,
  io: CommandIo,
): Promise<ExitCode> {
  // A dry run makes no calls, so it must not create the folder for recordings.
  const models = { ...context.models, record: null };
  await using ready = await prepareBench(plan, { ...context, models, isDryRun: true });
  const { bench, cases, target, samples, maxRepairs } = ready;
  const cells = cases.length * samples;
  const tables = strata.flatMap((route) => {
    const count = cases.filter(({ loaded }) => loaded.stratum === route).length;
    return count === 0 ? [] : [{ route, cases: count, samples: count * samples }];
  });
  const rows = tables.map((table) => [
    table.route,
    pluralize(table.cases, "case"),
    pluralize(table.samples, "sample"),
    visibleText(table.route === "fixed" ? "no model" : target.id),
  ]);
  const text = [
    ...alignedLines(rows, {}),
    "",
    `${pluralize(cells, "sample")} of ${visibleText(bench.file.id)}, at most ${pluralize(maxRepairs, "repair")} each`,
    "nothing was run",
  ].join("\n");
  const document = { bench: bench.file.id, model: target.id, samples, maxRepairs, tables };
  return endDryRun(ready, { ...document, cells }, text, io);
}
