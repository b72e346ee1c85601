import type { CaseNoun, DiffVerdict, MetricDiff, Sense, SkillDiff, TaskChange } from "../../contract/diff.ts";
import type { Metric } from "../../contract/level.ts";
import { type PairedDifference, pairedDifference } from "../../shared/statistics/intervals.ts";
import { roundMs, roundShare } from "../../shared/statistics/numbers.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { isBroken, isFixed, type PairedTask, pairTasks } from "./compare-tasks.ts";
import type { ComparedSide } from "./compared-side.ts";

interface CompareRules {
  seed: number;
  /** One broken task is a regression. */
  isStrict: boolean;
  /** Whether both were measured under the same load. */
  isLatencyComparable: boolean;
}

interface ComparedSkill {
  skill: SkillDiff;
  changes: TaskChange[];
  unpaired: number;
}

/** Compares one skill's report with an earlier one, task by task. */
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
    metrics: compareMetrics(a, b, { isDecided: verdict !== "inconclusive", isLatencyComparable }),
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

function compareMetrics(
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
      return [name, compareMetric(a.figures[name] ?? null, b.figures[name] ?? null, rule, isDecidedHere)];
    }),
  );
}

function compareMetric(
  a: number | null,
  b: number | null,
  { unit, better }: Metric,
  isDecided: boolean,
): MetricDiff {
  if (a === null || b === null) return { a, b, delta: null, sense: a === b ? "same" : "within-noise" };
  const delta = (unit === "ms" ? roundMs : roundShare)(b - a) + 0; // never −0
  const sense: Sense = delta === 0 ? "same" : isDecided ? deltaSense(delta, better) : "within-noise";
  return { a, b, delta, sense };
}

function deltaSense(delta: number, better: Metric["better"]): Sense {
  return delta > 0 === (better === "up") ? "better" : "worse";
}

/** Trials that must agree on both sides before a single broken task counts as evidence. */
const trialsNeeded = 3;

/** Whether the tasks say that a skill has become worse or better, and why; what they do not say is inconclusive. */
function compareVerdict(
  tasks: readonly PairedTask[],
  difference: PairedDifference | null,
  { isStrict, noun }: { isStrict: boolean; noun: CaseNoun },
): { verdict: DiffVerdict; reason: string } {
  const broken = tasks.filter(isBroken).length;
  const fixed = tasks.filter(isFixed).length;
  const interval = difference?.interval ?? null;
  if (interval !== null && interval.upper < 0) return { verdict: "regressed", reason: "interval below 0" };
  if (isStrict && broken > 0)
    return { verdict: "regressed", reason: `strict: ${pluralize(broken, ...noun)} broken` };
  if (interval !== null && interval.lower > 0) return { verdict: "improved", reason: "interval above 0" };
  if (tasks.every(({ trials }) => trials >= trialsNeeded)) {
    if (broken > 0 && fixed === 0)
      return { verdict: "regressed", reason: `${pluralize(broken, ...noun)} broken and none fixed` };
    if (fixed > 0 && broken === 0)
      return { verdict: "improved", reason: `${pluralize(fixed, ...noun)} fixed and none broken` };
  }
  return { verdict: "inconclusive", reason: whyNotDecided(tasks, noun) };
}

function whyNotDecided(tasks: readonly PairedTask[], [one, many]: CaseNoun): string {
  if (tasks.length === 0) return `no ${one} with results on both sides`;
  if (tasks.every(({ a, b }) => a === b)) return `no ${one} changed`;
  return tasks.length < 2 ? `too few ${many}` : "interval includes 0";
}
