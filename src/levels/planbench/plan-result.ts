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

type Told = Pick<PlanResult, "outcome" | "violations" | "cause" | "problem">;

/** Long enough to tell reasons apart, short enough to be counted by the thousand. */
const reasonLimit = 300;

/**
 * Why a sample failed, each reason once: what was wrong with its last plan, or that there was none. A pointer has no
 * indices and a reason no counts, so that the same mistake in two places or plans is one reason. Nothing for a sample that did not fail.
 */
export function planFailures({ outcome, violations, cause, problem }: Told): string[] {
  if (outcome !== "fail") return [];
  const reasons = new Set(violations.map(({ pointer, reason }) => reasonOf(pointer, reason)));
  if (reasons.size === 0) reasons.add(reasonOf("", problem ?? cause ?? "no plan"));
  return [...reasons];
}

/** What differs from plan to plan though the mistake is one: what a parser quotes and where it stopped, how long a text is. */
function withoutCounts(reason: string): string {
  return reason
    .replace(/^(is not one JSON value: Unexpected token) [\s\S]*$/, "$1")
    .replace(/^(is not one JSON value: .*?) at position [\s\S]*$/, "$1")
    .replace(/^has \d+ characters,/, "has * characters,");
}

function reasonOf(pointer: string, reason: string): string {
  const place = pointer
    .split("/")
    .map((part) => (/^\d+$/.test(part) ? "*" : part))
    .join("/");
  const words = `${place} ${withoutCounts(reason)}`.replace(/\s+/g, " ").trim();
  if (words.length <= reasonLimit) return words;
  // Between two words, where there are two.
  return `${words.slice(0, reasonLimit - 1).replace(/(?<= )\S*$|[\ud800-\udbff]$/, "")}…`;
}
