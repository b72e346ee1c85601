import { shellWord } from "../base/shell-word.ts";
import type { PlannedBy } from "../run/stored-plan.ts";

export interface ResumableRun {
  command: PlannedBy;
  runId: string;
  store: string;
  configPath: string | undefined;
}

/** The command line that continues a run, ready to be pasted into a shell. */
export function resumeCommand({ command, runId, store, configPath }: ResumableRun): string {
  const config = configPath === undefined ? [] : ["-c", configPath];
  const words = ["--resume", runId, ...config, ...(store === "./eval-skills.db" ? [] : ["--store", store])];
  return ["eval-skills", command, ...words.map(shellWord)].join(" ");
}
