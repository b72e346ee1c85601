import type { PlanDetails, PlanEvidence, PlanResult } from "../../contract/planbench-report.ts";
import type { CellResult } from "../../contract/result.ts";

/** The cell of a sample as the tables of a bench count it. What is missing in a foreign report is unknown. */
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
    ms: cell.latencyMs === null ? null : Math.round(cell.latencyMs),
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

type FailureFacts = Pick<PlanResult, "outcome" | "violations" | "cause" | "problem">;

/** Long enough to distinguish reasons, short enough to count thousands of them. */
const maxReasonChars = 300;

/**
 * Why a sample failed, each reason once: what was wrong with its last plan, or that there was none. A pointer has no
 * indices and a reason no counts, so that the same mistake at two positions or in two plans is one reason. Nothing for a sample that did not fail.
 */
export function planFailures({ outcome, violations, cause, problem }: FailureFacts): string[] {
  if (outcome !== "fail") return [];
  const reasons = new Set(violations.map(({ pointer, reason }) => failureReason(pointer, reason)));
  if (reasons.size === 0) reasons.add(failureReason("", problem ?? cause ?? "no plan"));
  return [...reasons];
}

/** Removes what differs between plans with the same mistake: quoted text, positions and lengths. */
function withoutCounts(reason: string): string {
  return reason
    .replace(/^(is not one JSON value: Unexpected token) [\s\S]*$/, "$1")
    .replace(/^(is not one JSON value: .*?) at position [\s\S]*$/, "$1")
    .replace(/^has \d+ characters,/, "has * characters,");
}

function failureReason(pointer: string, reason: string): string {
  const path = pointer
    .split("/")
    .map((part) => (/^\d+$/.test(part) ? "*" : part))
    .join("/");
  const words = `${path} ${withoutCounts(reason)}`.replace(/\s+/g, " ").trim();
  if (words.length <= maxReasonChars) return words;
  // Between two words, where there are two.
  return `${words.slice(0, maxReasonChars - 1).replace(/(?<= )\S*$|[\ud800-\udbff]$/, "")}…`;
}
