import { listed } from "../base/listed.ts";
import type { Report } from "../contract/report.ts";
import type { TriggeringEntry } from "../contract/trigger-report.ts";
import { describeSkips } from "./describe-skips.ts";
import { countQueries } from "./describe-trigger-counts.ts";

const namedAtMost = 10;

type Triggered = Pick<Report, "gate" | "exitCode"> & Partial<Pick<Report, "triggering">>;

/** What trigger tests had to do with the failure of a run, in plain text; null where they had nothing. */
export function describeTriggering({ gate, exitCode, triggering = [] }: Triggered): string | null {
  if (exitCode !== 1) return null;
  // Only where failing was asked for can a query or a figure be why.
  const sentences = gate.enforced ? [...failedQueries(triggering), ...missedGates(triggering)] : [];
  if (sentences.length > 0) return sentences.join(" ");
  const isGateFailed = gate.enforced && !gate.passed;
  return isGateFailed ? null : forbiddenSkip(triggering);
}

/** Why a required pass that did not happen is a failure. */
export function forbiddenSkip(entries: readonly Pick<TriggeringEntry, "skillId" | "skipped">[]): string {
  const skipped = describeSkips(entries, ["no-block", "empty-lists"]);
  const whom = skipped.length === 0 ? "" : ` for ${skipped.join(" and ")}`;
  return `The triggering pass was skipped${whom}, which --require-triggering forbids.`;
}

function failedQueries(entries: readonly TriggeringEntry[]): string[] {
  const counts = entries.map((entry) => ({ skillId: entry.skillId, failed: failedIn(entry) }));
  const failed = counts.reduce((sum, one) => sum + one.failed, 0);
  if (failed === 0) return [];
  const names = counts.filter((one) => one.failed > 0).map((one) => `${one.skillId} (${one.failed})`);
  return [`${countQueries(failed, "trigger")} failed: ${listed(names, namedAtMost)}.`];
}

/** Without those that no usable answer came for: they are shown as failed, but nobody knows. */
function failedIn({ failed, results }: TriggeringEntry): number {
  return results === undefined ? failed : results.filter(({ verdict }) => verdict === "fail").length;
}

function missedGates(entries: readonly TriggeringEntry[]): string[] {
  const missed = entries.flatMap(({ skillId, gate }) => {
    if (gate == null || gate.below.length === 0) return [];
    const { reasons = [] } = gate;
    return [reasons.length === 0 ? skillId : `${skillId} (${reasons.join(", ")})`];
  });
  return missed.length === 0 ? [] : [`Trigger gate failed: ${listed(missed, namedAtMost)}.`];
}
