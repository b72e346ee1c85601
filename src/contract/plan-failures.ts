import type { PlanResult } from "./planbench-report.ts";

type Told = Pick<PlanResult, "outcome" | "violations" | "cause" | "problem">;

/** Long enough to tell reasons apart, short enough to be counted by the thousand. */
const reasonLimit = 300;

/**
 * Why a sample failed, each reason once: what was wrong with its last plan, or that there was none. A pointer has no
 * indices, so that the same mistake in two places is one reason. Nothing for a sample that did not fail.
 */
export function planFailures({ outcome, violations, cause, problem }: Told): string[] {
  if (outcome !== "fail") return [];
  const reasons = new Set(violations.map(({ pointer, reason }) => reasonOf(pointer, reason)));
  if (reasons.size === 0) reasons.add(reasonOf("", problem ?? cause ?? "no plan"));
  return [...reasons];
}

function reasonOf(pointer: string, reason: string): string {
  const place = pointer
    .split("/")
    .map((part) => (/^\d+$/.test(part) ? "*" : part))
    .join("/");
  const words = `${place} ${reason}`.replace(/\s+/g, " ").trim();
  if (words.length <= reasonLimit) return words;
  return `${words.slice(0, reasonLimit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
