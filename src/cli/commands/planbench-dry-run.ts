import { strata } from "../../contract/planbench-file.ts";
import { type BenchContext, prepareBench } from "../../levels/planbench/prepare.ts";
import type { BenchPlan } from "../../levels/planbench/request.ts";
import { alignedLines } from "../../report/text/aligned-lines.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";

/** `planbench --dry-run`: everything is read, checked, routed and counted; nothing is run, and nothing is written. */
export async function planbenchDryRun(
  plan: BenchPlan,
  context: BenchContext,
  io: CommandIo,
): Promise<ExitCode> {
  // Recordings are made by calls, and nobody is called: the folder for them is none of this.
  const models = { ...context.models, record: null };
  await using ready = await prepareBench(plan, { ...context, models, isDryRun: true });
  for (const warning of ready.warnings) io.warn(warning);
  const { bench, cases, target, samples, maxRepairs } = ready;
  const cells = cases.length * samples;
  const tables = strata.flatMap((route) => {
    const count = cases.filter(({ loaded }) => loaded.stratum === route).length;
    return count === 0 ? [] : [{ route, cases: count, samples: count * samples }];
  });
  const rows = tables.map((table) => [
    table.route,
    countOf(table.cases, "case"),
    countOf(table.samples, "sample"),
    visibleText(table.route === "fixed" ? "no model" : target.id),
  ]);
  const text = [
    ...alignedLines(rows, {}),
    "",
    `${countOf(cells, "sample")} of ${visibleText(bench.file.id)}, at most ${countOf(maxRepairs, "repair")} each`,
    "nothing was run",
  ].join("\n");
  const document = { dryRun: true, bench: bench.file.id, model: target.id, samples, maxRepairs, tables };
  io.result({ ...document, cells, warnings: ready.warnings }, text);
  return 0;
}
