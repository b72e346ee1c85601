import type { DiffVerdict, MetricDiff, Sense, SkillDiff, TaskChange } from "../contract/diff.ts";
import type { SkillReportWithCells } from "../contract/report.ts";
import { pairedDifference } from "../statistics/paired-difference.ts";
import { isBroken, isFixed, pairTasks } from "./compare-tasks.ts";
import { compareVerdict } from "./compare-verdict.ts";
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
  a: SkillReportWithCells,
  b: SkillReportWithCells,
  { seed, isStrict, isLatencyComparable }: CompareRules,
): ComparedSkill {
  const { tasks, unpaired } = pairTasks(a.taskResults, b.taskResults);
  const difference = pairedDifference(
    Float64Array.from(tasks, (task) => task.b - task.a),
    seed,
  );
  const { verdict, reason } = compareVerdict(tasks, difference, isStrict);
  const changes = tasks.filter((task) => task.a !== task.b);
  const named = (holds: (task: TaskChange) => boolean) => changes.filter(holds).map(({ taskId }) => taskId);
  const interval = difference?.interval ?? null;
  const skill: SkillDiff = {
    skillId: b.skillId,
    ...(a.skillId !== b.skillId && { skillIdA: a.skillId }),
    benchmarkId: b.benchmarkId,
    verdict,
    reason,
    metrics: metricsOf(a, b, verdict, isLatencyComparable),
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
  a: SkillReportWithCells,
  b: SkillReportWithCells,
  verdict: DiffVerdict,
  isLatencyComparable: boolean,
): SkillDiff["metrics"] {
  const isDecided = verdict !== "inconclusive";
  const share = (name: "completionRate" | "errorRate" | "compositeScore", moreIs: "better" | "worse") =>
    metric(a.summary[name], b.summary[name], { round: roundShare, moreIs, isDecided });
  return {
    completionRate: share("completionRate", "better"),
    errorRate: share("errorRate", "worse"),
    latencyP95Ms: metric(a.latency.p95Ms, b.latency.p95Ms, {
      round: roundMs,
      moreIs: "worse",
      isDecided: isDecided && isLatencyComparable,
    }),
    compositeScore: share("compositeScore", "better"),
  };
}

interface MetricRules {
  round: (value: number) => number;
  moreIs: "better" | "worse";
  isDecided: boolean;
}

function metric(a: number | null, b: number | null, { round, moreIs, isDecided }: MetricRules): MetricDiff {
  if (a === null || b === null) return { a, b, delta: null, sense: a === b ? "same" : "within-noise" };
  const delta = round(b - a) + 0; // never −0
  const sense: Sense = delta === 0 ? "same" : isDecided ? senseOf(delta, moreIs) : "within-noise";
  return { a, b, delta, sense };
}

function senseOf(delta: number, moreIs: "better" | "worse"): Sense {
  const lessIs = moreIs === "better" ? "worse" : "better";
  return delta > 0 ? moreIs : lessIs;
}
