import type { PlanResult } from "../../contract/planbench-report.ts";

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
