import { dirname, resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { describeContainment } from "../reporters/describe-containment.ts";
import type { ProgressStream } from "../reporters/live-line.ts";
import { progressListener } from "../reporters/progress.ts";
import { prepareEvalLog } from "../run/eval-log.ts";
import type { ReadyRun } from "../run/preflight.ts";
import type { Purpose } from "../run/purpose.ts";
import { reportersFor } from "../run/reporters.ts";
import type { OutputOptions, PlanOptions } from "../run/request.ts";
import { type RunEnd, runEval } from "../run/run-eval.ts";
import { newSession, resumedSession } from "../run/session.ts";
import type { Surroundings } from "../run/surroundings.ts";
import { prepareOutputFolder } from "../run/write-reports.ts";
import type { CommandIo } from "./command-io.ts";
import { type ExitCode, exitCodeOfSignal } from "./exit-codes.ts";
import { tellGithub } from "./github.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { resumeCommand } from "./resume-command.ts";

/** A run as the command line asks for it: a new plan, or an old run to go on with. */
export interface RunOrder {
  what: { plan: PlanOptions } | { resume: string | null };
  output: OutputOptions;
  around: Surroundings;
  purpose: Purpose;
}

type DoneRun = Extract<RunEnd, { state: "done" }>;

/** Carries out a run before the eyes of the user, and hands what came of it to `tellEnd` while the store is still open. */
export async function carryOut(
  { what, output, around, purpose }: RunOrder,
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
  if (ready.judges.length === 0) warnOfIdleRecordings(around, io);
  const progress = progressListener({
    stream: io.stderr as ProgressStream,
    isTerminal: io.stderr.isTTY === true,
    color: io.colorStderr,
    verbose: io.verbose,
    clock: systemClock,
  });
  const world = {
    store,
    reporters,
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: [progress.hear],
    version: around.version,
    cwd: io.cwd,
  };
  const end = await runEval(run, ready, output, world, purpose).finally(progress.close);
  if (end.state === "interrupted") return tellInterrupted(end.signal, run.id, output.store, io);
  const exitCode = await tellEnd(end);
  tellGithub(end.report, end.cellsOf, io, fileToMend(ready, around));
  return exitCode;
}

/** Where an annotation belongs: at the tasks, which say what was expected; those of ours are in no repository but ours. */
function fileToMend({ benchmarkPath, skills }: ReadyRun, { bundledDir }: Surroundings) {
  const manifests = new Map(skills.map(({ skill }) => [skill.id, skill.manifest]));
  const isBundled = dirname(benchmarkPath) === bundledDir;
  return (skillId: string) => (isBundled ? manifests.get(skillId) : benchmarkPath);
}

function tellInterrupted(
  signal: "SIGINT" | "SIGTERM",
  runId: string,
  store: string,
  io: CommandIo,
): ExitCode {
  const exitCode = exitCodeOfSignal[signal];
  const resume = resumeCommand(runId, store, io.configPath);
  io.note(`interrupted: what ended is kept. Continue with\n  ${resume}`);
  if (io.json) io.result({ runId, state: "interrupted", resume, exitCode }, "");
  return exitCode;
}

/** A flag that has nothing to act on says so. */
function warnOfIdleRecordings({ judges: { record, replay } }: Surroundings, io: CommandIo): void {
  if (record !== null) io.warn("no model is called in this run: --record has nothing to record");
  if (replay !== null) io.warn("no model is called in this run: --replay has nothing to answer");
}
