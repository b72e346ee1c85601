import { notLoadedLines } from "../../contract/not-loaded.ts";
import type { PreparedRun } from "../../engine/prepared-run.ts";
import type { CommandIo, ExitCode } from "./command-io.ts";

/** Prints what a dry run found. A skill that cannot be loaded is exit code 2, as it would be in the run. */
export function endDryRun(
  ready: Pick<PreparedRun, "warnings" | "notLoaded">,
  document: object,
  text: string,
  io: CommandIo,
): ExitCode {
  const { warnings, notLoaded = [] } = ready;
  for (const warning of [...notLoadedLines(notLoaded), ...warnings]) io.warn(warning);
  io.result({ dryRun: true, ...document, notLoaded, warnings }, text);
  return notLoaded.length > 0 ? 2 : 0;
}
