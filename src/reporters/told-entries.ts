import type { Report } from "../contract/report.ts";
import type { TriggeringEntry } from "../contract/trigger-report.ts";

/** The entries of `eval` that say something: that a skill has no `triggering` block is no news where nobody asked for one. */
export function toldEntries({ triggering }: Pick<Report, "triggering">): TriggeringEntry[] {
  return triggering.filter(({ skipped }) => skipped !== "no-block");
}

/** The entries whose queries were put to a judge. */
export function judgedEntries({ triggering }: Pick<Report, "triggering">): TriggeringEntry[] {
  return triggering.filter(({ skipped }) => skipped === null);
}
