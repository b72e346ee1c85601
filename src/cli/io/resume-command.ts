import { shellWord } from "../../shared/text/shell-word.ts";

export interface ResumableRun {
  command: string;
  runId: string;
  store: string;
  configPath: string | undefined;
  /** The run whose answers it scores anew: such a run is not resumed, but begun again. */
  rescores?: string | undefined;
}

/** The command line that continues a run, ready to be pasted into a shell. */
export function resumeCommand({ command, runId, store, configPath, rescores }: ResumableRun): string {
  const config = configPath === undefined ? [] : ["-c", configPath];
  const which = rescores === undefined ? ["--resume", runId] : ["--rescore", rescores];
  const words = [...which, ...config, ...(store === "./eval-skills.db" ? [] : ["--store", store])];
  return ["eval-skills", command, ...words.map(shellWord)].join(" ");
}
