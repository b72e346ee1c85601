import type { TriggerReport } from "../contract/trigger-report.ts";
import { countQueries } from "./describe-trigger-counts.ts";

/** Why a report on triggering has no verdict, in plain text; null where nothing is open. */
export function describeInconclusive({
  results,
  gate,
  exitCode,
}: Pick<TriggerReport, "results" | "gate" | "exitCode">): string | null {
  const open = results.reduce((sum, { inconclusive }) => sum + inconclusive, 0);
  if (exitCode !== 3) return open === 0 ? null : `${countQueries(open)} inconclusive, accepted.`;
  if (open > 0)
    return `No verdict: ${countQueries(open)} inconclusive. Mend what each of them names, or accept them with --allow-invalid.`;
  return gate.inconclusive.length > 0 && !gate.passed
    ? "No verdict: the figures cannot tell whether the gate is met."
    : "No verdict: the judge gave no usable answer. Mend the judge, or accept it with --allow-invalid.";
}

/** Whether a run failed for nothing but skills that have no trigger tests. */
export function isSkipForbidden({
  results,
  gate,
  exitCode,
}: Pick<TriggerReport, "results" | "gate" | "exitCode">): boolean {
  return exitCode === 1 && gate.below.length === 0 && results.every(({ failed }) => failed === 0);
}
