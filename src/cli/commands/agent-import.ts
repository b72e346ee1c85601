import { resolve } from "node:path";
import { typedRoots } from "../../engine/skills/skill-root-folders.ts";
import { configuredSecrets, importRuns, type WrittenRun } from "../../operations/agent/import-run.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { writtenPath } from "../../shared/files/written-path.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import type { AgentImportFlags } from "./agent-options.ts";

/** `agent import`: run directories of another agent's transcript, which the same grader reads. */
export async function agentImportCommand(flags: AgentImportFlags, io: CommandIo): Promise<ExitCode> {
  const { cwd, env } = io;
  const { config } = await loadCommandConfig(io);
  const written = await importRuns({
    kind: flags.from ?? null,
    join: flags.join === true,
    file: resolve(cwd, flags.file),
    shown: flags.file,
    roots: typedRoots(flags.skills, cwd),
    out: writtenPath(flags.out, cwd),
    secrets: configuredSecrets(config, env),
    cwd,
  });
  for (const { run } of written) for (const warning of run.warnings) io.warn(warning);
  const runs = written.map((one) => describeRun(one, cwd));
  const [first] = runs;
  io.result({ ...first, runs }, runs.map(runWords).join("\n\n"));
  return 0;
}

function describeRun({ dir, runId, run }: WrittenRun, cwd: string) {
  const { kind, observed = [], unknown = [], ignored = {} } = run.started.origin;
  const turns = Math.max(0, ...run.events.map(({ turn }) => turn));
  const shown = nearPath(dir, cwd);
  return { run_id: runId, run_dir: shown, kind, turns, observed, unknown, ignored, warnings: run.warnings };
}

function runWords({ run_dir, kind, turns, observed, unknown }: ReturnType<typeof describeRun>): string {
  const words = unknown.filter((one) => typeof one === "string");
  const items = unknown.length - words.length;
  return [
    `imported ${pluralize(turns, "turn")} to ${run_dir} (${kind})`,
    `observed: ${observed.join(", ") || "nothing"}`,
    `unknown:  ${words.join(", ") || "nothing"}`,
    ...(items === 0
      ? []
      : [`not understood: ${pluralize(items, "item")}; rules that they could break have no verdict`]),
    "",
    `replay it:  eval-skills agent replay ${run_dir}`,
    `grade it:   eval-skills agent grade ${run_dir} --case <case>`,
  ].join("\n");
}
