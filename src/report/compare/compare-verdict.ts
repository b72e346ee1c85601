import type { CaseNoun, DiffTest, DiffVerdict, NotCompared, ReportDiff } from "../../contract/diff.ts";
import {
  decideRates,
  decisionLevel,
  isMoreThanChance,
  type PairedCounts,
  type PairedTest,
  type RateDecision,
} from "../../shared/statistics/paired-test.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { points } from "../text/format-numbers.ts";
import { leastTrials, type PairedTask, pairTrials, roundedShares } from "./compare-tasks.ts";
import { countedReasons, trueChange } from "./diff-words.ts";

export interface VerdictRules {
  seed: number;
  /** One broken task is a regression. */
  isStrict: boolean;
  /** A change that lies within this distance of 0 is none. */
  margin: number;
  /** What the two reports are called. */
  labels: ReportDiff["labels"];
}

/** What the compared cases say, and how they were asked. */
export interface CasesVerdict {
  verdict: DiffVerdict;
  decidedBy: DiffTest | null;
  reason: string;
  remarks: string[];
  /** Null where nothing was compared. */
  test: PairedTest | null;
  /** Of the rule that decided, or of the test; null where neither says anything. */
  p: number | null;
}

/** Below this number of cases, no sign-flip test can come out. */
const casesNeeded = 5;

/** Whether the tasks say that a skill has become worse or better, and why. */
export function compareVerdict(
  tasks: readonly PairedTask[],
  { seed, isStrict, margin, labels }: VerdictRules,
  { noun, notCompared }: { noun: CaseNoun; notCompared: NotCompared },
): CasesVerdict {
  if (tasks.length === 0)
    return {
      verdict: "not-comparable",
      decidedBy: null,
      reason: `no ${noun[0]} could be compared${countedReasons(notCompared, labels)}`,
      remarks: [],
      test: null,
      p: null,
    };
  const counts = tasks.map(passCounts);
  const trials = Math.min(...tasks.map(pairTrials));
  // In a strict comparison every outcome is certain, however often it was tried.
  const found = decideRates(counts, isStrict ? Number.POSITIVE_INFINITY : trials, seed);
  const { test } = found;
  const decided = describeDecision(counts, { ...found, isStrict, noun });
  if (decided !== null) return { ...decided, remarks: [], test };
  const isSame = counts.every(({ a, b }) => a.hits * b.trials === b.hits * a.trials);
  const { interval, p } = test;
  if (isSame) {
    const reason = `${tasks.length} of ${pluralize(tasks.length, ...noun)} equal`;
    return { verdict: "unchanged", decidedBy: null, reason, remarks: [], test, p };
  }
  if (interval !== null && interval.lower >= -margin && interval.upper <= margin) {
    const reason = `the change lies within ±${points(margin)}`;
    return { verdict: "unchanged", decidedBy: null, reason, remarks: [], test, p };
  }
  return {
    verdict: "inconclusive",
    decidedBy: null,
    reason: whyNotDecided(test, { cases: tasks.length, trials: leastTrials(tasks) }, noun),
    remarks: chanceRemark(counts, trials, noun),
    test,
    p,
  };
}

/** How often a task passed on both sides. */
function passCounts({ a, b }: PairedTask): PairedCounts {
  return { a: { hits: a.passed, trials: a.valid }, b: { hits: b.passed, trials: b.valid } };
}

interface Decided extends RateDecision {
  isStrict: boolean;
  noun: CaseNoun;
}

/** A skill that is never lucky needs no statistics: one case is proof. Otherwise many cases have to agree. */
function describeDecision(
  counts: readonly PairedCounts[],
  { test, certain, direction, isStrict, noun }: Decided,
): Pick<CasesVerdict, "verdict" | "decidedBy" | "reason" | "p"> | null {
  const { broken, fixed } = turnedCases(counts);
  if (isStrict && broken > 0)
    return {
      verdict: "regressed",
      decidedBy: "strict",
      reason: `strict: ${pluralize(broken, ...noun)} broken`,
      p: 0,
    };
  if (direction === 0) return null;
  const verdict = direction < 0 ? "regressed" : "improved";
  if (certain === null) {
    const reason = `${direction < 0 ? "fell" : "rose"} by ${points(Math.abs(test.mean))}, more than chance explains`;
    return { verdict, decidedBy: "sign-flip", reason, p: test.p };
  }
  const [changed, none] = direction < 0 ? ["broken", "fixed"] : ["fixed", "broken"];
  return {
    verdict,
    decidedBy: isStrict ? "strict" : "determinism",
    reason: `${pluralize(broken + fixed, ...noun)} ${changed}, none ${none}, no mixed results`,
    p: certain.p,
  };
}

/** Cases that turned from always to never, and the reverse. */
function turnedCases(counts: readonly PairedCounts[]): { broken: number; fixed: number } {
  let [broken, fixed] = [0, 0];
  for (const { a, b } of counts) {
    if (a.hits === a.trials && b.hits === 0) broken++;
    if (a.hits === 0 && b.hits === b.trials) fixed++;
  }
  return { broken, fixed };
}

function whyNotDecided(
  { interval, p }: PairedTest,
  size: { cases: number; trials: number },
  [one, many]: CaseNoun,
): string {
  if (interval === null || size.cases < casesNeeded)
    return `too few ${many} to tell chance from change: ${pluralize(size.cases, one, many)}`;
  if (interval.lower <= 0 && interval.upper >= 0)
    return `could be chance: ${trueChange(roundedShares(interval), size)}`;
  return `could be chance: p = ${p.toFixed(3)}, and only ${decisionLevel} or less decides`;
}

/** It never decides: with a base rate of one half it would be wrong too often. */
function chanceRemark(counts: readonly PairedCounts[], trials: number, [, many]: CaseNoun): string[] {
  const { broken, fixed } = turnedCases(counts);
  if (broken > fixed && isMoreThanChance(broken, counts.length, trials))
    return [`more broken ${many} than chance explains`];
  if (fixed > broken && isMoreThanChance(fixed, counts.length, trials))
    return [`more fixed ${many} than chance explains`];
  return [];
}
