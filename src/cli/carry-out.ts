import { dirname, resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { describeContainment } from "../reporters/describe-containment.ts";
import { prepareEvalLog } from "../run/eval-log.ts";
import type { ReadyRun } from "../run/preflight.ts";
import type { Purpose } from "../run/purpose.ts";
import { reportersFor } from "../run/reporters.ts";
import type { OutputOptions, PlanOptions } from "../run/request.ts";
import { type RunEnd, runEval } from "../run/run-eval.ts";
import { newSession, resumedSession } from "../run/session.ts";
import type { Surroundings } from "../run/surroundings.ts";
import { judgeModels, queriesIn } from "../run/telemetry/query-payload.ts";
import type { RunFacts } from "../run/telemetry/run-telemetry.ts";
import { unchosenRouter } from "../run/triggering/unchosen-router.ts";
import { prepareOutputFolder } from "../run/write-reports.ts";
import type { OtlpSettings } from "../telemetry/otlp/otlp-settings.ts";
import type { TelemetrySettings } from "../telemetry/settings.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import { tellGithub } from "./github.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { openRunTelemetry } from "./open-run-telemetry.ts";
import { sendSpans } from "./otlp.ts";
import { showProgress } from "./show-progress.ts";
import { tellInterrupted } from "./tell-interrupted.ts";
import { warnOfIdleFlags } from "./warn-of-idle-flags.ts";

/** A run as the command line asks for it: a new plan, or an old run to go on with. */
export interface RunOrder {
  what: { plan: PlanOptions } | { resume: string | null };
  output: OutputOptions;
  around: Surroundings;
  purpose: Purpose;
  /** Where the run is sent to as spans; null where it is not. */
  otlp: OtlpSettings | null;
  telemetry: TelemetrySettings;
}

type DoneRun = Extract<RunEnd, { state: "done" }>;

/** Carries out a run before the eyes of the user, and hands what came of it to `tellEnd` while the store is still open. */
export async function carryOut(
  { what, output, around, purpose, otlp, telemetry }: RunOrder,
  io: CommandIo,
  tellEnd: (end: DoneRun) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  using interrupt = listenForInterrupt();
  const reporters = await reportersFor(output.formats);
  const storePath = resolve(io.cwd, output.store);
  const lastCheck = () => {
    prepareOutputFolder(output.outputDir);
    prepareEvalLog(output.evalLog);
  };
  await using session =
    "plan" in what
      ? await newSession(what.plan, around, storePath, lastCheck)
      : await resumedSession(what.resume, around, storePath, lastCheck);
  const { run, ready, store } = session;
  const { containment } = ready.sandbox;
  if (containment.level !== "strict") io.warn(describeContainment(containment));
  const asksModel = ready.judges.length > 0 || ready.triggers?.subjects.some(({ judge }) => judge?.isPaid);
  if (!asksModel) warnOfIdleFlags(around.judges, io);
  const note =
    ready.triggers &&
    unchosenRouter(ready.triggers.subjects, "triggering.judge.model in eval.yaml names one");
  if (note !== null) io.note(note);
  await using told = openRunTelemetry(telemetry, factsOf(purpose.command, ready), io);
  using progress = showProgress(io);
  const world = {
    store,
    reporters,
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: [progress.hear, told.hear],
    version: around.version,
    cwd: io.cwd,
  };
  const end = await runEval(run, ready, output, world, purpose);
  progress[Symbol.dispose]();
  if (end.state === "interrupted") {
    const { signal } = end;
    return told.end(tellInterrupted({ command: "eval", signal, runId: run.id, store: output.store }, io));
  }
  const exitCode = await tellEnd(end);
  tellGithub(end.report, end.cellsOf, io, fileToMend(ready, around));
  const { run: facts, command } = end.report;
  told.end(exitCode); // how long a collector takes is no time of the run
  await sendSpans(otlp, { run: { ...facts, command, exitCode }, store, version: around.version }, io);
  return exitCode;
}

function factsOf(command: string, { skills, judges, triggers }: ReadyRun): RunFacts {
  const subjects = triggers?.subjects ?? [];
  return {
    command,
    skills: skills.map(({ skill }) => skill.id),
    models: [...new Set([...judges.map(({ model }) => model.id), ...judgeModels(subjects)])],
    cellsAre: "task",
    queryOf: queriesIn(subjects),
  };
}

/** Where an annotation belongs: at the tasks, which say what was expected; those of ours are in no repository but ours. */
function fileToMend({ benchmarkPath, skills }: ReadyRun, { bundledDir }: Surroundings) {
  const manifests = new Map(skills.map(({ skill }) => [skill.id, skill.manifest]));
  const isBundled = dirname(benchmarkPath) === bundledDir;
  return (skillId: string) => (isBundled ? manifests.get(skillId) : benchmarkPath);
}
