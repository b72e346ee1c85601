import type { PlanDetails, PlanEvidence, PlanResult } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";

/** The cell of a sample as the tables of a bench count it. What a foreign report lacks is unknown. */
export function planResult(cell: CellResult): PlanResult {
  const details = cell.details as Partial<PlanDetails>;
  const evidence = evidenceIn(cell);
  const { outcome = "error", repairs = null, violations = [] } = details;
  return {
    caseId: cell.caseId,
    sample: cell.trial,
    route: details.route ?? "routed",
    host: details.host ?? null,
    tags: details.tags ?? [],
    outcome,
    repairs,
    status: cell.status,
    cause: cell.cause,
    problem: cell.cause === null ? null : cell.reason,
    ms: evidence.ms ?? cell.latencyMs,
    firstMs: evidence.firstMs ?? null,
    tokens: evidence.tokens ?? null,
    claimedOk: evidence.service?.claimedOk ?? null,
    selected: evidence.selected ?? null,
    attempts: evidence.attempts ?? [],
    violations,
    caseDigest: cell.caseDigest,
    cellKey: cell.key,
  };
}

/** What was seen while a sample was made; nothing where that is not stored, or where a foreign report holds something else. */
export function evidenceIn({ output }: Pick<CellResult, "output">): Partial<PlanEvidence> {
  const evidence = (output ?? {}) as Partial<PlanEvidence>;
  return Array.isArray(evidence.attempts) ? evidence : {};
}
