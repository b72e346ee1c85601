import {
  caseNoun,
  type MetricDiff,
  type MetricName,
  type Sense,
  type SkillDiff,
  type TaskChange,
} from "../contract/diff.ts";
import { pairedDifference } from "../statistics/paired-difference.ts";
import { isBroken, isFixed, pairTasks } from "./compare-tasks.ts";
import { compareVerdict } from "./compare-verdict.ts";
import type { ComparedSide } from "./compared-side.ts";
import { roundMs, roundShare } from "./round-numbers.ts";

export interface CompareRules {
  seed: number;
  /** One broken task is a regression. */
  isStrict: boolean;
  /** Whether both were measured under the same load. */
  isLatencyComparable: boolean;
}

export interface ComparedSkill {
  skill: SkillDiff;
  changes: TaskChange[];
  unpaired: number;
}

/** Holds one skill's report against an earlier one of it, task by task. */
export function compareSkill(
  a: ComparedSide,
  b: ComparedSide,
  { seed, isStrict, isLatencyComparable }: CompareRules,
): ComparedSkill {
  const { tasks, unpaired } = pairTasks(a.tasks, b.tasks);
  const difference = pairedDifference(
    Float64Array.from(tasks, (task) => task.b - task.a),
    seed,
  );
  const { verdict, reason } = compareVerdict(tasks, difference, { isStrict, noun: caseNoun(b) });
  const changes = tasks.filter((task) => task.a !== task.b);
  const named = (holds: (task: TaskChange) => boolean) => changes.filter(holds).map(({ taskId }) => taskId);
  const interval = difference?.interval ?? null;
  const skill: SkillDiff = {
    skillId: b.skillId,
    ...(a.skillId !== b.skillId && { skillIdA: a.skillId }),
    benchmarkId: b.benchmarkId,
    verdict,
    reason,
    metrics: metricsOf(a, b, { isDecided: verdict !== "inconclusive", isLatencyComparable }),
    paired: {
      tasks: tasks.length,
      meanDelta: difference && roundShare(difference.mean),
      interval: interval && { lower: roundShare(interval.lower), upper: roundShare(interval.upper) },
      broken: named(isBroken),
      fixed: named(isFixed),
      shifted: named((task) => !isBroken(task) && !isFixed(task)),
    },
  };
  return { skill, changes, unpaired };
}

function metricsOf(
  a: ComparedSide,
  b: ComparedSide,
  { isDecided, isLatencyComparable }: { isDecided: boolean; isLatencyComparable: boolean },
): SkillDiff["metrics"] {
  const names = (Object.keys(metricRules) as MetricName[]).filter(
    (name) => a.figures[name] !== undefined && b.figures[name] !== undefined,
  );
  return Object.fromEntries(
    names.map((name) => {
      const isTold = isDecided && (name !== "latencyP95Ms" || isLatencyComparable);
      return [name, metric(a.figures[name] ?? null, b.figures[name] ?? null, metricRules[name], isTold)];
    }),
  );
}

interface MetricRule {
  round: (value: number) => number;
  moreIs: "better" | "worse";
}

/** In the order they are shown. */
const metricRules: Record<MetricName, MetricRule> = {
  completionRate: { round: roundShare, moreIs: "better" },
  errorRate: { round: roundShare, moreIs: "worse" },
  passRate: { round: roundShare, moreIs: "better" },
  ok0Rate: { round: roundShare, moreIs: "better" },
  recall: { round: roundShare, moreIs: "better" },
  precision: { round: roundShare, moreIs: "better" },
  mcc: { round: roundShare, moreIs: "better" },
  latencyP95Ms: { round: roundMs, moreIs: "worse" },
  compositeScore: { round: roundShare, moreIs: "better" },
};

function metric(
  a: number | null,
  b: number | null,
  { round, moreIs }: MetricRule,
  isDecided: boolean,
): MetricDiff {
  if (a === null || b === null) return { a, b, delta: null, sense: a === b ? "same" : "within-noise" };
  const delta = round(b - a) + 0; // never −0
  const sense: Sense = delta === 0 ? "same" : isDecided ? senseOf(delta, moreIs) : "within-noise";
  return { a, b, delta, sense };
}

function senseOf(delta: number, moreIs: "better" | "worse"): Sense {
  const lessIs = moreIs === "better" ? "worse" : "better";
  return delta > 0 ? moreIs : lessIs;
}
