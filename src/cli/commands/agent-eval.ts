import { type AgentEvalOptions, agentEvalTable } from "../../cases/case-options.ts";
import { type AgentContext, type AgentPlan, agentOutput, agentPlan } from "../../cases/case-request.ts";
import type { MergedFacts } from "../../engine/prepared-run.ts";
import { prepareAgents } from "../../operations/agent/prepare.ts";
import { agentSessions } from "../../operations/agent/session.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { describeContainment } from "../../report/view/run-facts.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { endDryRun } from "../io/end-dry-run.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { runLevelCommand } from "./level-command.ts";

/** `agent eval`: cases through an agent and its grader, from the command line to the exit code. */
export function agentEvalCommand(
  options: AgentEvalOptions,
  io: CommandIo,
  merged?: MergedFacts,
): Promise<ExitCode> {
  return runLevelCommand(
    {
      command: "agent eval",
      table: agentEvalTable,
      sessions: agentSessions,
      plan: agentPlan,
      output: agentOutput,
      context: ({ env, version, judges, reliance, exclude, storePath, configuredModels }, { runsDir }) => ({
        env,
        version,
        models: judges,
        reliance,
        exclude: [...exclude, runsDir],
        storePath,
        runsDir,
        configuredModels,
      }),
      dryRun: agentDryRun,
      announce({ ready: { cases, containment } }, { models }) {
        const mayRun = cases.some(({ policy }) => policy?.enable_tools.includes("run_script"));
        if (mayRun && containment.level !== "strict") io.warn(describeContainment(containment));
        if (cases.every(({ loaded }) => loaded.level !== "L2")) warnOfIdleFlags(models, io);
      },
    },
    options,
    io,
    merged,
  );
}

/** `agent eval --dry-run`: everything is read, checked and counted; nothing is run, and nothing is written. */
export async function agentDryRun(plan: AgentPlan, context: AgentContext, io: CommandIo): Promise<ExitCode> {
  // A dry run makes no calls, so it must not create the folder for recordings.
  const models = { ...context.models, record: null };
  await using ready = await prepareAgents(plan, { ...context, models, isDryRun: true });
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
        pluralize(row.cases, "case"),
        pluralize(row.cells, "run"),
        visibleText(row.models.join(", ")),
      ]),
      {},
    ),
    "",
    `${pluralize(cells, "run")}${skipped === 0 ? "" : `; ${pluralize(skipped, "case")} skipped by class`}`,
    "nothing was run",
  ].join("\n");
  return endDryRun(ready, { suites, cells, skipped: ready.skipped }, text, io);
}
