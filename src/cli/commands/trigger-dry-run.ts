import { estimateTriggers } from "../../levels/trigger/estimate.ts";
import type { TriggerPlan } from "../../levels/trigger/request.ts";
import { prepareTriggerRun, type TriggerContext } from "../../levels/trigger/session.ts";
import { unchosenRouter } from "../../levels/trigger/unchosen-router.ts";
import { alignedLines } from "../../report/text/aligned-lines.ts";
import { grouped, usd } from "../../report/text/format-numbers.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";

/** `trigger --dry-run`: everything is read, checked and counted; nobody is asked, and nothing is written. */
export async function triggerDryRun(
  plan: TriggerPlan,
  context: TriggerContext,
  io: CommandIo,
): Promise<ExitCode> {
  // Recordings are made by calls, and nobody is called: the folder for them is none of this.
  const models = { ...context.models, record: null };
  await using ready = await prepareTriggerRun(plan, { ...context, models, isDryRun: true });
  for (const warning of ready.warnings) io.warn(warning);
  const note = unchosenRouter(ready.subjects, "--judge-model asks a model");
  if (note !== null) io.note(note);
  const estimate = await estimateTriggers(ready);
  io.result({ dryRun: true, ...estimate, warnings: ready.warnings }, describe(estimate));
  return 0;
}

type Estimate = Awaited<ReturnType<typeof estimateTriggers>>;

function describe({ skills, queries, judgments, cached, usdAtMost, tokensIn }: Estimate): string {
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
    `${queryCount(queries)}, ${countOf(judgments, "judgment")}${known}${tokens}`,
    costLine(usdAtMost, judgments - cached),
    "no model was called",
  ].join("\n");
}

function queryCount(count: number): string {
  return count === 1 ? "1 query" : `${count} queries`;
}

function costLine(usdAtMost: number | null, asked: number): string {
  if (asked === 0) return "cost: nothing";
  return usdAtMost === null
    ? "cost: unknown; add prices.<model> to the configuration for an estimate"
    : `cost: at most ${usd(usdAtMost)}`;
}
