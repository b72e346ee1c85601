import { countOf } from "../base/count-of.ts";
import { visibleText } from "../base/visible-text.ts";
import { alignedLines } from "../reporters/aligned-lines.ts";
import type { AgentPlan } from "../run/agents/agent-request.ts";
import { type AgentSurroundings, prepareAgents } from "../run/agents/prepare-agents.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";

/** `agent eval --dry-run`: everything is read, checked and counted; nothing is run, and nothing is written. */
export async function agentDryRun(
  plan: AgentPlan,
  around: AgentSurroundings,
  io: CommandIo,
): Promise<ExitCode> {
  // Recordings are made by calls, and nobody is called: the folder for them is none of this.
  const models = { ...around.models, record: null };
  await using ready = await prepareAgents(plan, { ...around, models, isDryRun: true });
  for (const warning of ready.warnings) io.warn(warning);
  const rows = new Map<string, { suite: string; cases: Set<string>; cells: number; models: Set<string> }>();
  for (const { loaded, model } of ready.jobs) {
    const { suite } = loaded;
    const row = rows.get(suite) ?? { suite, cases: new Set(), cells: 0, models: new Set() };
    row.cases.add(loaded.case.id);
    row.models.add(model);
    row.cells++;
    rows.set(suite, row);
  }
  const suites = [...rows.values()].map(({ suite, cases, cells, models: used }) => ({
    suite,
    cases: cases.size,
    cells,
    models: [...used].filter((model) => model !== "none"),
  }));
  const skipped = ready.skipped.length;
  const text = [
    ...alignedLines(
      suites.map(({ suite, cases, cells, models: used }) => [
        visibleText(suite),
        countOf(cases, "case"),
        countOf(cells, "run"),
        visibleText(used.join(", ")),
      ]),
      {},
    ),
    "",
    `${countOf(ready.jobs.length, "run")}${skipped === 0 ? "" : `; ${countOf(skipped, "case")} left out by level`}`,
    "nothing was run",
  ].join("\n");
  const document = { dryRun: true, suites, cells: ready.jobs.length, skipped: ready.skipped };
  io.result({ ...document, warnings: ready.warnings }, text);
  return 0;
}
