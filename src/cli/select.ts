import { resolve } from "node:path";
import { makeFolder } from "../base/make-folder.ts";
import { writeWholeFile } from "../base/whole-file.ts";
import type { Selection } from "../contract/selection.ts";
import { Strategy } from "../contract/strategy.ts";
import { unwritable } from "../contract/user-error.ts";
import { selectionTable } from "../reporters/selection-table.ts";
import { chooseSkills } from "../run/choose-skills.ts";
import { loadConfig } from "../spec/load-config.ts";
import { loadStrategy } from "../spec/load-strategy.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { SelectFlags } from "./select-options.ts";

/** `select`: candidates and their reports in, the best of them out. */
export async function selectCommand(flags: SelectFlags, io: CommandIo): Promise<ExitCode> {
  const loaded = await loadConfig({ ...io, flags: flags.store === undefined ? {} : { store: flags.store } });
  for (const warning of loaded.warnings) io.warn(warning);
  const { store, outputDir } = loaded.config;
  const { selection, warnings } = await chooseSkills({
    from: flags.from,
    reports: flags.reports ?? null,
    strategy: await strategyOf(flags, io),
    store,
    outputDir,
    cwd: io.cwd,
  });
  for (const warning of warnings) io.warn(warning);
  const text = `${JSON.stringify({ schemaVersion: 1, command: "select", ...selection }, null, 2)}\n`;
  if (flags.output !== undefined) writeSelection(resolve(io.cwd, flags.output), text, flags.output);
  const isTable = flags.output !== undefined || io.stdout.isTTY === true;
  io.result(selection, isTable ? selectionTable(selection, io.color) : text);
  if (flags.output !== undefined) io.note(`written to ${flags.output}`);
  return conclude(selection, flags, io);
}

async function strategyOf(
  { strategy: file, minCompletion, topK }: SelectFlags,
  io: CommandIo,
): Promise<Strategy> {
  const { strategy, warnings } =
    file === undefined
      ? { strategy: Strategy.parse({}), warnings: [] }
      : await loadStrategy(resolve(io.cwd, file), file);
  for (const warning of warnings) io.warn(warning);
  const { filters } = strategy;
  return {
    ...strategy,
    filters: minCompletion === undefined ? filters : { ...filters, minCompletionRate: minCompletion },
    ...(topK !== undefined && { topK }),
  };
}

function writeSelection(path: string, text: string, shownPath: string): void {
  try {
    makeFolder(resolve(path, ".."));
    writeWholeFile(path, text);
  } catch (error) {
    throw unwritable(shownPath, error, "name a file you can write with --output");
  }
}

function conclude({ selected, rejected }: Selection, { exitOnFail }: SelectFlags, io: CommandIo): ExitCode {
  for (const { skillId, stale } of selected)
    if (stale) io.warn(`${skillId} has changed since its report was made; evaluate it again`);
  if (selected.length > 0) return 0;
  const why = [...new Set(rejected.map(({ reasons }) => reasons[0]))];
  io.warn(`nothing was selected${why.length === 1 ? `: ${why[0]}` : ""}`);
  return exitOnFail ? 1 : 0;
}
