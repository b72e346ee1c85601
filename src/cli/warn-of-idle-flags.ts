import type { CommandIo } from "./command-io.ts";

export interface ModelFlags {
  record: string | null;
  replay: string | null;
  maxCostUsd?: number | null | undefined;
}

/** A flag about models that has nothing to act on says so. */
export function warnOfIdleFlags({ record, replay, maxCostUsd = null }: ModelFlags, io: CommandIo): void {
  if (record !== null) io.warn("no model is called in this run: --record has nothing to record");
  if (replay !== null) io.warn("no model is called in this run: --replay has nothing to answer");
  if (maxCostUsd !== null) io.warn("no model is called in this run: --max-cost has nothing to limit");
}
