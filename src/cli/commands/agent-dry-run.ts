import type { AgentContext, AgentPlan } from "../../cases/case-request.ts";
import { prepareAgents } from "../../operations/agent/prepare.ts";
import { alignedLines } from "../../report/text/aligned-lines.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";

/** `agent eval --dry-run`: everything is read, checked and counted; nothing is run, and nothing is written. */
export async function agentDryRun(plan: AgentPlan, context: AgentContext, io: CommandIo): Promise<ExitCode> {
  // Recordings are made by calls, and nobody is called: the folder for them is none of this.
  const models = { ...context.models, record: null };
  await using ready = await prepareAgents(plan, { ...context, models, isDryRun: true });
  for (const warning of ready.warnings) io.warn(warning);
  const rows = new Map<string, { suite: string; cases: number; cells: number; models: Set<string> }>();
  for (const { suite, cases, subjects, casesOf } of ready.plans) {
    const row = rows.get(suite) ?? { suite, cases: 0, cells: 0, models: new Set() };
    rows.set(suite, row);
    row.cases += cases.length;
    for (const subject of subjects) {
      row.models.add(subject.model);
      for (const { trials } of casesOf(subject)) row.cells += trials;
    }
  }
  const suites = [...rows.values()].map((row) => ({
    ...row,
    models: [...row.models].filter((model) => model !== "none"),
  }));
  const cells = suites.reduce((sum, row) => sum + row.cells, 0);
  const skipped = ready.skipped.length;
  const text = [
    ...alignedLines(
      suites.map((row) => [
        visibleText(row.suite),
        countOf(row.cases, "case"),
        countOf(row.cells, "run"),
        visibleText(row.models.join(", ")),
      ]),
      {},
    ),
    "",
    `${countOf(cells, "run")}${skipped === 0 ? "" : `; ${countOf(skipped, "case")} skipped by level`}`,
    "nothing was run",
  ].join("\n");
  const document = { dryRun: true, suites, cells, skipped: ready.skipped };
  io.result({ ...document, warnings: ready.warnings }, text);
  return 0;
}
