import type { Usage } from "../contract/outcome.ts";

const members = ["promptTokens", "completionTokens", "totalTokens", "costUsd"] as const;

/** What a skill says it used. A figure that cannot be true is left out with a warning; unknown is not zero. */
export function readUsage(told: unknown): { usage: Usage | undefined; warnings: string[] } {
  const warnings: string[] = [];
  if (told === undefined || told === null) return { usage: undefined, warnings };
  if (typeof told !== "object")
    return { usage: undefined, warnings: ["usage is no object and was left out"] };
  const usage: Usage = { promptTokens: null, completionTokens: null, totalTokens: null, costUsd: null };
  for (const member of members) {
    const value = (told as Record<string, unknown>)[member];
    if (value === undefined || value === null) continue;
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) usage[member] = value;
    else warnings.push(`usage.${member} is not a number of 0 or more and was left out`);
  }
  const isKnown = members.some((member) => usage[member] !== null);
  return { usage: isKnown ? usage : undefined, warnings };
}
