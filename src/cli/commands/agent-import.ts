import { resolve } from "node:path";
import { typedRoots } from "../../engine/skills/skill-root-folders.ts";
import { configuredSecrets, importRun } from "../../operations/agent/import-run.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import type { AgentImportFlags } from "./agent-options.ts";

/** `agent import`: a run directory of another agent's transcript, which the same grader reads. */
export async function agentImportCommand(flags: AgentImportFlags, io: CommandIo): Promise<ExitCode> {
  const { cwd, env } = io;
  const { config } = await loadCommandConfig(io);
  const { dir, runId, run } = await importRun({
    kind: flags.from,
    file: resolve(cwd, flags.file),
    shown: flags.file,
    roots: typedRoots(flags.skills, cwd),
    out: writtenPath(flags.out, cwd),
    secrets: configuredSecrets(config, env),
    cwd,
  });
  for (const warning of run.warnings) io.warn(warning);
  const shown = nearPath(dir, cwd);
  const { observed = [], unknown = [] } = run.started.origin;
  const turns = Math.max(0, ...run.events.map(({ turn }) => turn));
  io.result(
    { run_id: runId, run_dir: shown, turns, observed, unknown, warnings: run.warnings },
    [
      `imported ${pluralize(turns, "turn")} to ${shown}`,
      `observed: ${observed.join(", ") || "nothing"}`,
      `unknown:  ${unknown.filter((one) => typeof one === "string").join(", ") || "nothing"}`,
      "",
      `replay it:  eval-skills agent replay ${shown}`,
      `grade it:   eval-skills agent grade ${shown} --case <case>`,
    ].join("\n"),
  );
  return 0;
}
