import type { CommandIo } from "./command-io.ts";

export interface ModelFlags {
  record: string | null;
  replay: string | null;
  budget?: object | null | undefined;
}

/** Warns about model flags that have no effect. */
export function warnOfIdleFlags({ record, replay, budget = null }: ModelFlags, io: CommandIo): void {
  if (record !== null) io.warn("--record has no effect: this run calls no model");
  if (replay !== null) io.warn("--replay has no effect: this run calls no model");
  if (budget !== null) io.warn("--max-cost has no effect: this run calls no model");
}
