import type { MetricDiff, Sense, SkillDiff, TaskChange } from "../../contract/diff.ts";
import type { Metric } from "../../contract/level.ts";
import { pairedDifference } from "../../shared/statistics/paired-difference.ts";
import { roundMs, roundShare } from "../../shared/statistics/round-numbers.ts";
import { isBroken, isFixed, pairTasks } from "./compare-tasks.ts";
import { compareVerdict } from "./compare-verdict.ts";
import type { ComparedSide } from "./compared-side.ts";

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
  const { verdict, reason } = compareVerdict(tasks, difference, { isStrict, noun: b.level.nouns.case });
  const changes = tasks.filter((task) => task.a !== task.b);
  const named = (holds: (task: TaskChange) => boolean) => changes.filter(holds).map(({ taskId }) => taskId);
  const interval = difference?.interval ?? null;
  const skill: SkillDiff = {
    ...b.subject,
    ...(a.subject.name !== b.subject.name && { nameA: a.subject.name }),
    verdict,
    reason,
    metrics: metricsOf(a, b, { isDecided: verdict !== "inconclusive", isLatencyComparable }),
    main: b.level.metrics.filter(({ isMain }) => isMain).map(({ name }) => name),
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
  const shown = b.level.metrics.filter(
    ({ name }) => a.figures[name] !== undefined && b.figures[name] !== undefined,
  );
  return Object.fromEntries(
    shown.map((rule) => {
      const { name, unit } = rule;
      const isDecidedHere = isDecided && (unit !== "ms" || isLatencyComparable);
      return [name, metric(a.figures[name] ?? null, b.figures[name] ?? null, rule, isDecidedHere)];
    }),
  );
}

function metric(
  a: number | null,
  b: number | null,
  { unit, better }: Metric,
  isDecided: boolean,
): MetricDiff {
  if (a === null || b === null) return { a, b, delta: null, sense: a === b ? "same" : "within-noise" };
  const delta = (unit === "ms" ? roundMs : roundShare)(b - a) + 0; // never −0
  const sense: Sense = delta === 0 ? "same" : isDecided ? senseOf(delta, better) : "within-noise";
  return { a, b, delta, sense };
}

function senseOf(delta: number, better: Metric["better"]): Sense {
  return delta > 0 === (better === "up") ? "better" : "worse";
}
