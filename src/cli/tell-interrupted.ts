import type { PlannedBy } from "../run/stored-plan.ts";
import type { CommandIo } from "./command-io.ts";
import { type ExitCode, exitCodeOfSignal } from "./exit-codes.ts";
import { resumeCommand } from "./resume-command.ts";

export interface InterruptedRun {
  command: PlannedBy;
  signal: "SIGINT" | "SIGTERM";
  runId: string;
  store: string;
}

/** Says how a run that was stopped goes on. */
export function tellInterrupted({ command, signal, runId, store }: InterruptedRun, io: CommandIo): ExitCode {
  const exitCode = exitCodeOfSignal[signal];
  const resume = resumeCommand({ command, runId, store, configPath: io.configPath });
  io.note(`interrupted: what ended is kept. Continue with\n  ${resume}`);
  if (io.json) io.result({ runId, state: "interrupted", resume, exitCode }, "");
  return exitCode;
}
