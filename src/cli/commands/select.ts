import { notLoadedLines } from "../../contract/not-loaded.ts";
import { chooseSkills } from "../../operations/select/choose-skills.ts";
import type { Selection } from "../../operations/select/selection.ts";
import { eventFilePath } from "../../telemetry/settings.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { writeOutput } from "../io/write-output.ts";
import { selectionTable } from "../output/selection-table.ts";
import type { SelectFlags } from "./select-options.ts";
import { typedStrategy } from "./typed-strategy.ts";

/** `select`: candidates and their reports in, the best of them out. */
export async function selectCommand(flags: SelectFlags, io: CommandIo): Promise<ExitCode> {
  const { output, exitOnFail } = flags;
  const { store, outputDir, telemetry } = (await loadCommandConfig(io)).config;
  const { selection, notLoaded, warnings } = await chooseSkills({
    from: flags.from,
    reports: flags.reports ?? null,
    benchmark: flags.benchmark ?? null,
    strategy: await typedStrategy(flags, io),
    store,
    outputDir,
    telemetryPath: eventFilePath(telemetry, io.env),
    cwd: io.cwd,
  });
  for (const warning of [...notLoadedLines(notLoaded), ...warnings]) io.warn(warning);
  warnAboutSelection(selection, io);
  const text = `${JSON.stringify({ schemaVersion: 1, command: "select", ...selection }, null, 2)}\n`;
  if (output !== undefined) writeOutput(output, [text], io);
  const isForPeople = output !== undefined || io.stdout.isTTY === true;
  io.result(selection, isForPeople ? selectionTable(selection, io.color) : text);
  if (output !== undefined) io.note(`written to ${output}`);
  if (notLoaded.length > 0) return 2;
  return selection.selected.length === 0 && exitOnFail ? 1 : 0;
}

function warnAboutSelection({ selected, rejected }: Selection, io: CommandIo): void {
  for (const { skillId, stale } of selected)
    if (stale) io.warn(`${skillId} has changed since its report was written; run eval again`);
  if (selected.length > 0) return;
  const [why, ...others] = new Set(rejected.map(({ reasons }) => reasons.join(", ")));
  io.warn(`nothing was selected${why !== undefined && others.length === 0 ? `: ${why}` : ""}`);
}
