import type { CommandIo } from "./command-io.ts";
import { type ExitCode, exitCodeOfSignal } from "./exit-codes.ts";
import { resumeCommand } from "./resume-command.ts";

export interface InterruptedRun {
  command: string;
  signal: "SIGINT" | "SIGTERM";
  runId: string;
  store: string;
  /** The run whose answers it scored anew. */
  rescores?: string | undefined;
}

/** Says how a run that was stopped goes on. */
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
