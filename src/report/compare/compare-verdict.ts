import type { CaseNoun, DiffVerdict } from "../../contract/diff.ts";
import type { PairedDifference } from "../../shared/statistics/paired-difference.ts";
import { countOf } from "../../shared/text/count-of.ts";
import { isBroken, isFixed, type PairedTask } from "./compare-tasks.ts";

/** Trials that must agree on both sides before a single broken task is more than bad luck. */
const trialsNeeded = 3;

/** Whether the tasks say that a skill has become worse or better, and why; what they do not say is inconclusive. */
export function compareVerdict(
  tasks: readonly PairedTask[],
  difference: PairedDifference | null,
  { isStrict, noun }: { isStrict: boolean; noun: CaseNoun },
): { verdict: DiffVerdict; reason: string } {
  const broken = tasks.filter(isBroken).length;
  const fixed = tasks.filter(isFixed).length;
  const interval = difference?.interval ?? null;
  if (interval !== null && interval.upper < 0) return { verdict: "regressed", reason: "interval below 0" };
  if (isStrict && broken > 0)
    return { verdict: "regressed", reason: `strict: ${countOf(broken, ...noun)} broken` };
  if (interval !== null && interval.lower > 0) return { verdict: "improved", reason: "interval above 0" };
  if (tasks.every(({ trials }) => trials >= trialsNeeded)) {
    if (broken > 0 && fixed === 0)
      return { verdict: "regressed", reason: `${countOf(broken, ...noun)} broken and none fixed` };
    if (fixed > 0 && broken === 0)
      return { verdict: "improved", reason: `${countOf(fixed, ...noun)} fixed and none broken` };
  }
  return { verdict: "inconclusive", reason: whyNotDecided(tasks, noun) };
}

function whyNotDecided(tasks: readonly PairedTask[], [one, many]: CaseNoun): string {
  if (tasks.length === 0) return `no ${one} with results on both sides`;
  if (tasks.every(({ a, b }) => a === b)) return `no ${one} changed`;
  return tasks.length < 2 ? `too few ${many}` : "interval includes 0";
}
