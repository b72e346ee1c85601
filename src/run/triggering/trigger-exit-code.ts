import type { TriggerCause, TriggerGateResult, TriggerResult } from "../../contract/trigger-report.ts";
import type { TriggerOutput } from "./trigger-request.ts";

/** How many queries have no verdict, by cause. */
export type CauseCounts = Readonly<Record<TriggerCause, number>>;

export interface PassFigures {
  results: readonly TriggerResult[];
  gate: TriggerGateResult;
  causes: CauseCounts;
}

/** No verdict beats a failed query: nobody should read "failed" where we simply do not know. */
export function triggerExitCode(
  { results, gate, causes }: PassFigures,
  output: Pick<TriggerOutput, "allowInvalid" | "allowInconclusive" | "requireTriggering">,
): 0 | 1 | 3 {
  const { undecided, ...others } = causes;
  const unknown = Object.values(others).reduce((sum, count) => sum + count, 0);
  const isUnknown =
    unknown > 0 || (undecided > 0 && !output.allowInconclusive) || gate.inconclusive.length > 0;
  if (isUnknown && !output.allowInvalid) return 3;
  // Queries without a usable answer are shown as failed, and were looked at above.
  const failed = results.reduce((sum, result) => sum + result.failed, 0) - causes["no-verdict"];
  if (failed > 0 || gate.below.length > 0) return 1;
  return output.requireTriggering && hasForbiddenSkip(results) ? 1 : 0;
}

/** Whether a skill was left out for another reason than that one case alone was asked for. */
export function hasForbiddenSkip(results: readonly Pick<TriggerResult, "skipped">[]): boolean {
  return results.some(({ skipped }) => skipped !== null && skipped !== "single-case");
}
