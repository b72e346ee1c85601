import { Interrupted, linkAbort, type StopSignal } from "../../engine/interrupted.ts";
import { shellWord } from "../../shared/text/command-line.ts";
import { type CommandIo, type ExitCode, exitCodeOfSignal } from "./command-io.ts";

/** The first Ctrl-C, TERM or hangup stops the run cleanly, the second exits at once. Either way it can be resumed. `also`: what else stops it. */
export function listenForInterrupt(also?: AbortSignal): Disposable & { signal: AbortSignal } {
  const stop = linkAbort(also ?? new AbortController().signal);
  const names = Object.keys(exitCodeOfSignal) as StopSignal[];
  const handlers = names.map((name) => {
    const handle = () => {
      if (stop.signal.aborted) process.exit(exitCodeOfSignal[name]);
      stop.abort(new Interrupted(name));
    };
    process.on(name, handle);
    return () => process.off(name, handle);
  });
  return {
    signal: stop.signal,
    [Symbol.dispose]: () => {
      for (const remove of handlers) remove();
    },
  };
}

interface InterruptedRun {
  command: string;
  signal: StopSignal;
  runId: string;
  store: string;
  /** The run whose answers it scored anew. */
  rescores?: string | undefined;
}

/** Prints how to continue a run that was stopped. */
export function reportInterrupted(run: InterruptedRun, io: CommandIo): ExitCode {
  const { signal, runId, rescores } = run;
  const exitCode = exitCodeOfSignal[signal];
  const resume = resumeCommand({ ...run, configPath: io.configPath });
  const next =
    rescores === undefined ? "completed results are saved. Resume" : "no skill was run. Start again";
  io.note(`interrupted: ${next} with:\n  ${resume}`);
  if (io.json) io.result({ runId, state: "interrupted", resume, exitCode }, "");
  return exitCode;
}

interface ResumableRun {
  command: string;
  runId: string;
  store: string;
  configPath: string | undefined;
  /** What must be typed again, ready for a shell. */
  retyped?: readonly string[];
  /** The run it rescores: such a run is started over, not resumed. */
  rescores?: string | undefined;
}

/** The command line that continues a run, ready to be pasted into a shell. */
export function resumeCommand(run: ResumableRun): string {
  const { command, runId, store, configPath, retyped = [], rescores } = run;
  const config = configPath === undefined ? [] : ["-c", configPath];
  const which = rescores === undefined ? ["--resume", runId] : ["--rescore", rescores];
  const words = [...which, ...config, ...(store === "./eval-skills.db" ? [] : ["--store", store])];
  return ["eval-skills", command, ...words.map(shellWord), ...retyped].join(" ");
}
