import { resolve } from "node:path";
import { systemClock } from "../base/clock.ts";
import { describeContainment } from "../contract/containment.ts";
import { UserError } from "../contract/user-error.ts";
import { jsonReporter } from "../reporters/json.ts";
import type { ProgressStream } from "../reporters/live-line.ts";
import { progressListener } from "../reporters/progress.ts";
import { resultLines } from "../reporters/result-lines.ts";
import { prepareEvalLog } from "../run/eval-log.ts";
import type { Surroundings } from "../run/preflight.ts";
import type { OutputOptions } from "../run/request.ts";
import { type RunEnd, runEval } from "../run/run-eval.ts";
import { newSession, resumedSession } from "../run/session.ts";
import { prepareOutputFolder, reportersFor } from "../run/write-reports.ts";
import { type LoadedConfig, loadConfig } from "../spec/load-config.ts";
import type { CommandIo } from "./command-io.ts";
import { dryRun } from "./dry-run.ts";
import { type EvalFlags, typedConfig } from "./eval-options.ts";
import { outputOptions, planOptions, refusePlanFlags } from "./eval-request.ts";
import { type ExitCode, exitCodeOfSignal } from "./exit-codes.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { resumeCommand } from "./resume-command.ts";
import { packageFolder, packageVersion } from "./version.ts";

/** `eval`: skills against a benchmark, from the command line to the exit code. */
export async function evalCommand(flags: EvalFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await loadConfig({ ...io, flags: typedConfig(flags) });
  for (const warning of loaded.warnings) io.warn(warning);
  const output = outputOptions(flags, loaded, io.cwd);
  const reporters = reportersFor(output.formats);
  const around = surroundings(flags, loaded, output, io);
  if (flags.resume !== undefined) refusePlanFlags(flags);
  else if (flags.dryRun) return dryRun(planOptions(flags, loaded, io.cwd), around, io);

  using interrupt = listenForInterrupt();
  const storePath = resolve(io.cwd, output.store);
  const lastCheck = () => {
    prepareOutputFolder(output.outputDir);
    prepareEvalLog(output.evalLog);
  };
  warnOfUnusedFlags(flags, io);
  await using session =
    flags.resume === undefined
      ? await newSession(planOptions(flags, loaded, io.cwd), around, storePath, lastCheck)
      : await resumedSession(flags.resume === true ? null : flags.resume, around, storePath, lastCheck);
  const { run, ready, store } = session;
  const { containment } = ready.sandbox;
  if (containment.level !== "strict") io.warn(describeContainment(containment));
  const progress = progressListener({
    stream: io.stderr as ProgressStream,
    isTerminal: io.stderr.isTTY === true,
    color: io.colorStderr,
    verbose: io.verbose,
    clock: systemClock,
  });
  const end = await runEval(run, ready, output, {
    store,
    reporters,
    clock: systemClock,
    random: Math.random,
    signal: interrupt.signal,
    listeners: [progress.hear],
    version: around.version,
    cwd: io.cwd,
  }).finally(progress.close);
  return tellEnd(end, run.id, output, io);
}

function surroundings(
  { record, replay }: EvalFlags,
  { config }: LoadedConfig,
  output: OutputOptions,
  io: CommandIo,
): Surroundings {
  const folder = (path: string | undefined) => (path === undefined ? null : resolve(io.cwd, path));
  const store = resolve(io.cwd, output.store);
  return {
    env: io.env as NodeJS.ProcessEnv,
    version: packageVersion(),
    bundledDir: resolve(packageFolder(), "benchmarks"),
    concurrency: output.concurrency,
    judges: { apiKey: config.llm.apiKey ?? null, record: folder(record), replay: folder(replay) },
    exclude: [store, `${store}-wal`, `${store}-shm`, `${store}-journal`, output.outputDir, output.evalLog],
  };
}

function tellEnd(end: RunEnd, runId: string, output: OutputOptions, io: CommandIo): ExitCode {
  const { store, requireTriggering } = output;
  if (end.state === "interrupted") {
    const exitCode = exitCodeOfSignal[end.signal];
    const resume = resumeCommand(runId, store, io.configPath);
    io.note(`interrupted: what ended is kept. Continue with\n  ${resume}`);
    if (io.json) io.result({ runId, state: "interrupted", resume, exitCode }, "");
    return exitCode;
  }
  const { report, cellsOf } = end;
  if (io.json) io.resultPieces(jsonReporter.render(report, cellsOf));
  else io.result({}, resultLines(report, io.color, cellsOf));
  if (requireTriggering) io.note(`failed: ${noTriggering}`); // the gate may have passed: the exit code needs its reason
  return report.exitCode as ExitCode;
}

const noTriggering = "the triggering pass was skipped (no-block), which --require-triggering forbids";

/** Flags that have nothing to act on in a run without models or triggering say so. */
function warnOfUnusedFlags(flags: EvalFlags, io: CommandIo): void {
  if (flags.record !== undefined && flags.replay !== undefined) {
    throw new UserError("usage", "--record and --replay exclude each other");
  }
  if (flags.record !== undefined) io.warn("no model is called in this run: --record has nothing to record");
  if (flags.replay !== undefined) io.warn("no model is called in this run: --replay has nothing to answer");
  if (flags.requireTriggering) io.warn(noTriggering);
}
