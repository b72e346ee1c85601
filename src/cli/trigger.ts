import { resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { triggerJsonReporter } from "../reporters/trigger-json.ts";
import { triggerLines } from "../reporters/trigger-lines.ts";
import { prepareEvalLog } from "../run/eval-log.ts";
import { saidModels } from "../run/resumed-models.ts";
import { judgeModels, queriesIn } from "../run/telemetry/query-payload.ts";
import { runTrigger } from "../run/triggering/run-trigger.ts";
import { triggerReportersFor } from "../run/triggering/trigger-reporters.ts";
import { triggerOutput, triggerPlan } from "../run/triggering/trigger-request.ts";
import { triggerSessions } from "../run/triggering/trigger-session.ts";
import { unchosenRouter } from "../run/triggering/unchosen-router.ts";
import { prepareOutputFolder } from "../run/write-reports.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { tellGithubOfTriggers } from "./github.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { openRunTelemetry, typedTelemetry } from "./open-run-telemetry.ts";
import { sendSpans, typedOtlp } from "./otlp.ts";
import { passSurroundings } from "./pass-surroundings.ts";
import { resumedFlags } from "./resumed-flags.ts";
import { showProgress } from "./show-progress.ts";
import { tellInterrupted } from "./tell-interrupted.ts";
import { toldConfig } from "./told-config.ts";
import { triggerDryRun } from "./trigger-dry-run.ts";
import type { TriggerFlags } from "./trigger-options.ts";
import { planFlags, wishesOf } from "./trigger-request.ts";
import { typedRunConfig } from "./typed-run-config.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

/** `trigger`: queries against a judge, from the command line to the exit code. */
export async function triggerCommand(flags: TriggerFlags, io: CommandIo): Promise<ExitCode> {
  if (flags.resume === undefined) return testTriggers(flags, io);
  const resumption = {
    planFlags,
    named: { what: "<skills...>", values: flags.skills },
    config: typedRunConfig(flags),
    toResume: triggerSessions.toResume,
  };
  return testTriggers(await resumedFlags(flags, resumption, io), io);
}

async function testTriggers(flags: TriggerFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await toldConfig(io, typedRunConfig(flags));
  const otlp = typedOtlp(flags, loaded.config, io);
  const telemetry = typedTelemetry(loaded.config, io);
  const wishes = wishesOf(flags);
  const output = triggerOutput(wishes, loaded, io.cwd);
  const around = { ...passSurroundings(flags, loaded, output, io), said: saidModels(loaded) };
  const plan = () => triggerPlan(wishes, loaded, io.cwd);
  if (flags.dryRun) return triggerDryRun(plan(), around, io);

  using interrupt = listenForInterrupt();
  const lastCheck = () => {
    prepareOutputFolder(output.outputDir, "trigger-result");
    prepareEvalLog(output.evalLog);
  };
  const reporters = await triggerReportersFor(output.formats);
  await using session =
    typeof flags.resume === "string"
      ? await triggerSessions.resume(flags.resume, around, lastCheck)
      : await triggerSessions.begin(plan(), around, lastCheck);
  const note = unchosenRouter(session.ready.subjects, "--judge-model asks a model");
  if (note !== null) io.note(note);
  const asksModel = session.ready.subjects.some(
    ({ judge }) => judge?.kind === "model" || judge?.kind === "catalog",
  );
  if (!asksModel) warnOfIdleFlags({ ...around.models, maxCostUsd: around.maxCostUsd }, io);
  const { subjects } = session.ready;
  const facts = {
    command: "trigger",
    skills: subjects.map(({ skill }) => skill.id),
    models: judgeModels(subjects),
    cellsAre: "task",
    queryOf: queriesIn(subjects),
  } as const;
  await using told = openRunTelemetry(telemetry, facts, io);
  using progress = showProgress(io);
  const end = await runTrigger(session, output, {
    reporters,
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: [progress.hear, told.hear],
    version: around.version,
    cwd: io.cwd,
  });
  progress[Symbol.dispose]();
  if (end.state === "interrupted") {
    const { signal } = end;
    const { id: runId } = session.run;
    return told.end(tellInterrupted({ command: "trigger", signal, runId, store: output.store }, io));
  }
  const { report, queriesOf } = end;
  if (io.json) io.resultPieces(triggerJsonReporter.render(report, queriesOf));
  else io.result({}, triggerLines(report, queriesOf, { color: io.color, width: io.width }));
  tellGithubOfTriggers(report, queriesOf, io, (skillId) => fileOf(skillId, session.ready.subjects));
  const run = { ...report.run, command: report.command, exitCode: report.exitCode };
  told.end(report.exitCode); // how long a collector takes is no time of the run
  await sendSpans(otlp, { run, store: session.store, version: around.version }, io);
  return report.exitCode;
}

function fileOf(
  skillId: string,
  subjects: readonly { skill: { id: string }; found: { dir: string } }[],
): string | undefined {
  const subject = subjects.find(({ skill }) => skill.id === skillId);
  return subject === undefined ? undefined : resolve(subject.found.dir, "eval.yaml");
}
