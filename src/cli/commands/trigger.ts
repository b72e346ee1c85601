import type { MergedFacts } from "../../engine/prepared-run.ts";
import { unchosenRouter } from "../../levels/trigger/choose-judge.ts";
import { estimateTriggers } from "../../levels/trigger/estimate.ts";
import { type TriggerOptions, triggerTable } from "../../levels/trigger/options.ts";
import { type TriggerPlan, triggerOutput, triggerPlan } from "../../levels/trigger/request.ts";
import { prepareTriggerRun, type TriggerContext, triggerSessions } from "../../levels/trigger/session.ts";
import { grouped, usd } from "../../report/text/format-numbers.ts";
import { alignedLines } from "../../report/text/text-table.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { endDryRun } from "../io/end-dry-run.ts";
import { warnOfIdleFlags } from "../io/warn-of-idle-flags.ts";
import { runLevelCommand } from "./level-command.ts";
import { triggerContext } from "./trigger-context.ts";

/** `trigger`: queries against a judge, from the command line to the exit code. */
export function triggerCommand(
  options: TriggerOptions,
  io: CommandIo,
  merged?: MergedFacts,
): Promise<ExitCode> {
  return runLevelCommand(
    {
      command: "trigger",
      table: triggerTable,
      sessions: triggerSessions,
      plan: triggerPlan,
      output: triggerOutput,
      context: (facts, { allowInconclusive }, typed) => ({
        ...triggerContext(facts, typed, allowInconclusive),
        configuredModels: facts.configuredModels,
      }),
      dryRun: triggerDryRun,
      announce({ ready: { subjects } }, { models }) {
        const note = unchosenRouter(subjects, "--judge-model asks a model");
        if (note !== null) io.note(note);
        const asksModel = subjects.some(({ judge }) => judge?.kind === "model" || judge?.kind === "catalog");
        if (!asksModel) warnOfIdleFlags(models, io);
      },
    },
    options,
    io,
    merged,
  );
}

/** `trigger --dry-run`: everything is read, checked and counted; nobody is asked, and nothing is written. */
export async function triggerDryRun(
  plan: TriggerPlan,
  context: TriggerContext,
  io: CommandIo,
): Promise<ExitCode> {
  // A dry run makes no calls, so it must not create the folder for recordings.
  const models = { ...context.models, record: null };
  await using ready = await prepareTriggerRun(plan, { ...context, models, isDryRun: true });
  const note = unchosenRouter(ready.subjects, "--judge-model asks a model");
  if (note !== null) io.note(note);
  const estimate = await estimateTriggers(ready);
  return endDryRun(ready, estimate, describe(estimate), io);
}

type Estimate = Awaited<ReturnType<typeof estimateTriggers>>;

function describe({ skills, queries, judgments, cached, maxUsd, tokensIn }: Estimate): string {
  const rows = skills.map(({ skillId, judge, queries, repeats, skipped }) => [
    visibleText(skillId),
    skipped ?? `${queryCount(queries)} × ${repeats}`,
    skipped === null
      ? `judge: ${visibleText([judge.label ?? judge.kind, judge.model ?? ""].join(" ").trim())}`
      : "",
  ]);
  const known = cached > 0 ? `, ${cached} of them cached` : "";
  const tokens = tokensIn === null ? "" : `, about ${grouped(tokensIn)} tokens in`;
  return [
    ...alignedLines(rows, {}),
    "",
    `${queryCount(queries)}, ${pluralize(judgments, "judgment")}${known}${tokens}`,
    costLine(maxUsd, judgments - cached),
    "no model was called",
  ].join("\n");
}

function queryCount(count: number): string {
  return count === 1 ? "1 query" : `${count} queries`;
}

function costLine(maxUsd: number | null, judgments: number): string {
  if (judgments === 0) return "cost: nothing";
  return maxUsd === null
    ? "cost: unknown; add prices.<model> to the configuration for an estimate"
    : `cost: at most ${usd(maxUsd)}`;
}
