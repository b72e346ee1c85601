import { listed } from "../base/listed.ts";
import type { SkipReason } from "../contract/trigger-report.ts";

const namedAtMost = 10;

/** Why a skill has no trigger tests in a run. */
export const skipWords: Record<SkipReason, string> = {
  "single-case": "--case was given",
  "no-block": "no triggering block",
  "empty-lists": "its lists of queries are empty",
};

// Not the list of the contract: its schemas would come along into the page of the HTML report.
const everyReason = Object.keys(skipWords) as SkipReason[];

/** The skills without trigger tests, a line of plain text per reason: `a, b (no triggering block)`. */
export function describeSkips(
  skills: readonly { skillId: string; skipped: SkipReason | null }[],
  reasons: readonly SkipReason[] = everyReason,
): string[] {
  return reasons.flatMap((reason) => {
    const names = skills.filter(({ skipped }) => skipped === reason).map(({ skillId }) => skillId);
    return names.length === 0 ? [] : [`${listed(names, namedAtMost)} (${skipWords[reason]})`];
  });
}
