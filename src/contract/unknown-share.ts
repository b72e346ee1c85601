import type { SubjectReport } from "./document.ts";

/** Shares such as 1 - 0.7 are not exact. */
const rounding = 1e-9;

/** Whether more of a subject is without a verdict than is accepted, or too few of its cases have a valid trial. */
export function isTooUnknown({ unknown, metrics }: Pick<SubjectReport, "unknown" | "metrics">): boolean {
  if (unknown === undefined || unknown.of === 0) return false;
  const { count, of, maxShare } = unknown;
  const coverage = metrics.caseCoverage?.value ?? 1;
  return count / of > maxShare + rounding || coverage < 1 - maxShare - rounding;
}
