import type { Usage } from "../contract/outcome.ts";
import type { SkillExit } from "../contract/sandbox.ts";
import { maxNesting } from "../shared/json/strict-json.ts";

// Messages that all adapters share, so that people and their scripts meet one wording.

export const unsafeIntegerWarning = "the answer has an integer beyond 2^53; its last digits are not exact";

export function floodMessage(bytesSeen: number): string {
  return `more than the allowed output: stopped after ${bytesSeen} bytes`;
}

export function silenceMessage(deadlineMs: number): string {
  return `no answer within ${deadlineMs} ms`;
}

/** How a process ended: `exit 3`, or `ended by SIGSEGV`. */
export function describeExit({ code, signal }: SkillExit): string {
  return signal === null ? `exit ${code}` : `ended by ${signal}`;
}

/** Whether a value from another program is nested deeper than we can store. Stops looking at that depth. */
export function isNestedDeeper(value: unknown, levels: number = maxNesting): boolean {
  if (value === null || typeof value !== "object") return false;
  return levels === 0 || Object.values(value).some((member) => isNestedDeeper(member, levels - 1));
}

const members = ["promptTokens", "completionTokens", "totalTokens", "costUsd"] as const;

/** Beyond it no count is exact, and a sum over many cells would overflow. */
const largestUsage = Number.MAX_SAFE_INTEGER;

/** The usage a skill reports. A figure that cannot be true is left out with a warning; unknown is not zero. */
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
