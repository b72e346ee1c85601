import type { Usage } from "../contract/outcome.ts";

const members = ["promptTokens", "completionTokens", "totalTokens", "costUsd"] as const;

/** Beyond it no count is exact, and a sum over many cells would leave the numbers there are. */
const largestUsage = Number.MAX_SAFE_INTEGER;

/** What a skill says it used. A figure that cannot be true is left out with a warning; unknown is not zero. */
export function readUsage(reported: unknown): { usage: Usage | undefined; warnings: string[] } {
  const warnings: string[] = [];
  if (reported === undefined || reported === null) return { usage: undefined, warnings };
  if (typeof reported !== "object")
    return { usage: undefined, warnings: ["usage is not an object and was ignored"] };
  const usage: Usage = { promptTokens: null, completionTokens: null, totalTokens: null, costUsd: null };
  for (const member of members) {
    const value = (reported as Record<string, unknown>)[member];
    if (value === undefined || value === null) continue;
    if (typeof value === "number" && value >= 0 && value <= largestUsage) usage[member] = value;
    else warnings.push(`usage.${member} is not a number from 0 to ${largestUsage} and was ignored`);
  }
  const isKnown = members.some((member) => usage[member] !== null);
  return { usage: isKnown ? usage : undefined, warnings };
}
