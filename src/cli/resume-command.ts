/** The command line that continues a run, ready to be pasted into a shell. */
export function resumeCommand(runId: string, store: string, configPath: string | undefined): string {
  const config = configPath === undefined ? [] : ["-c", configPath];
  const words = ["--resume", runId, ...config, ...(store === "./eval-skills.db" ? [] : ["--store", store])];
  return ["eval-skills", "eval", ...words.map(quoted)].join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
