import type { DiffTotal, MetricDiff, SkillDiff, TaskChange } from "../../contract/diff.ts";
import type { Metric } from "../../contract/level.ts";
import { roundMs, roundShare, roundUsd } from "../../shared/statistics/numbers.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import {
  costRow,
  latencyRow,
  type RowConditions,
  rateRow,
  roundP,
  tailRow,
  untested,
} from "./compare-rows.ts";
import {
  decidedShare,
  isBroken,
  isFixed,
  leastTrials,
  type PairedTasks,
  pairTasks,
  pairTrials,
  passRates,
  roundedShares,
} from "./compare-tasks.ts";
import { type CasesVerdict, compareVerdict, type VerdictRules } from "./compare-verdict.ts";
import type { ComparedSide } from "./compared-side.ts";

export interface CompareRules extends VerdictRules {
  /** Why times of these two runs say nothing about skills; null where they do. */
  timeProblem: string | null;
}

export interface ComparedSkill {
  skill: SkillDiff;
  changes: TaskChange[];
}

/** Compares one skill's report with an earlier one, task by task. */
export function compareSkill(a: ComparedSide, b: ComparedSide, rules: CompareRules): ComparedSkill {
  const noun = b.level.nouns.case;
  const paired = pairTasks(a.tasks, b.tasks);
  const missing = a.missingCells + b.missingCells;
  const unlike = b.level.incomparable?.(a.details, b.details) ?? null;
  const { tasks, notCompared, coverage } = missing === 0 && unlike === null ? paired : nothingOf(paired);
  const found = compareVerdict(tasks, rules, { noun, notCompared });
  const reason =
    unlike ??
    (missing === 0
      ? found.reason
      : `${pluralize(Math.abs(missing), "cell")} that the reports count are missing from them`);
  const changes = tasks.map(passRates).filter((task) => task.a !== task.b);
  const named = (holds: (task: TaskChange) => boolean) => changes.filter(holds).map(({ taskId }) => taskId);
  const main = mainMetric(b.level.metrics);
  const { test } = found;
  const skill: SkillDiff = {
    ...b.subject,
    ...(a.subject.name !== b.subject.name && { nameA: a.subject.name }),
    verdict: found.verdict,
    decidedBy: found.decidedBy,
    reason,
    remarks: found.remarks,
    metrics: {
      [main.name]: mainRow(found, { a, b, tasks }),
      ...otherRows({ a, b, tasks }, main.name, rules),
    },
    main: main.name,
    totals: { a: total(a, main), b: total(b, main) },
    paired: {
      tasks: tasks.length,
      coverage: roundShare(coverage),
      decided: roundShare(decidedShare(tasks)),
      trials: leastTrials(tasks),
      meanDelta: test && roundShare(test.mean) + 0,
      interval: test?.interval ? roundedShares(test.interval) : null,
      p: found.p === null ? null : roundP(found.p),
      smallestDetectableDrop: test && roundShare(test.detectable),
      broken: named(isBroken),
      fixed: named(isFixed),
      shifted: named((task) => !isBroken(task) && !isFixed(task)),
      notCompared,
    },
  };
  return { skill, changes };
}

/** Nothing can be said of a file that lacks cells: what is missing may be what failed. */
function nothingOf({ notCompared }: PairedTasks): PairedTasks {
  return { tasks: [], notCompared, coverage: 0 };
}

function mainMetric(metrics: readonly Metric[]): Metric {
  const main = metrics.find(({ isMain }) => isMain) ?? metrics[0];
  if (main === undefined) throw new Error("a level has a main figure");
  return main;
}

function total({ tasks, figures }: ComparedSide, { name }: Metric): DiffTotal {
  return { cases: tasks.length, rate: figures[name] ?? null };
}

interface Sides {
  a: ComparedSide;
  b: ComparedSide;
  tasks: PairedTasks["tasks"];
}

/** The row that the verdict is about says the same. */
function mainRow({ verdict, decidedBy, reason, test, p }: CasesVerdict, { tasks }: Sides): MetricDiff {
  if (test === null) return untested(null, null, reason);
  const mean = (side: "a" | "b") =>
    roundShare(tasks.map(passRates).reduce((sum, task) => sum + task[side], 0) / tasks.length);
  const row = { a: mean("a"), b: mean("b"), delta: roundShare(test.mean) + 0 };
  const interval = test.interval && roundedShares(test.interval);
  // With `--strict`, a suite regressed that lost one case and gained many: its rate is not worse.
  const isAgainst = verdict === "regressed" && row.delta >= 0;
  if (decidedBy !== null && !isAgainst) {
    const sense = verdict === "regressed" ? "worse" : "better";
    return { ...row, sense, test: decidedBy, p: p === null ? null : roundP(p), interval };
  }
  if (test.direction > 0) return { ...row, sense: "better", test: "sign-flip", p: roundP(test.p), interval };
  if (row.delta !== 0 && /^too few/.test(reason))
    return { ...row, sense: "not-tested", test: null, p: null, interval, reason: "too few results" };
  const sense = row.delta === 0 ? "same" : "no-difference-found";
  return { ...row, sense, test: "sign-flip", p: roundP(test.p), interval };
}

function otherRows(sides: Sides, main: string, rules: CompareRules): Record<string, MetricDiff> {
  const { b, tasks } = sides;
  const noun = b.level.nouns.case;
  const conditions: RowConditions = { seed: rules.seed, noun, timeProblem: rules.timeProblem };
  const trials = Math.min(...tasks.map(pairTrials));
  const rows: Record<string, MetricDiff> = {};
  const isAll = isEverything(sides);
  const derived: [string, MetricDiff][] = [];
  for (const metric of b.level.metrics) {
    const { name, isCompared, hit } = metric;
    if (name === main || isCompared !== true || name === "errorRate" || name === "latencyP95Ms") continue;
    if (hit === undefined) derived.push([name, derivedRow(sides, metric, isAll)]);
    else rows[name] = ownRow(sides, metric, { ...conditions, trials });
  }
  const errors = tasks.map(({ a, b: after }) => ({
    a: { hits: a.errors, trials: a.valid },
    b: { hits: after.errors, trials: after.valid },
  }));
  rows.errorRate = rateRow(errors, "down", { ...conditions, trials });
  // The latency of a script that replaces a model says nothing about skills.
  if (sides.a.isTimed && sides.b.isTimed) {
    rows.latencyMs = latencyRow(tasks, conditions);
    rows.latencyP95Ms = tailRow(tasks, conditions);
    for (const figure of ["costUsd", "tokens"] as const) {
      const row = costRow(tasks, figure, conditions);
      if (row !== null) rows[figure] = row;
    }
  }
  return { ...rows, ...Object.fromEntries(derived) };
}

/** A figure that the level counts by trial, over the cases that have it on both sides. */
function ownRow(
  { tasks }: Sides,
  { name, better }: Metric,
  conditions: RowConditions & { trials: number },
): MetricDiff {
  const counts = tasks.flatMap(({ a, b }) => {
    const [before, after] = [a.own[name], b.own[name]];
    return before === undefined || after === undefined ? [] : [{ a: before, b: after }];
  });
  return rateRow(counts, better, conditions);
}

/** A figure of all cases at once cannot be tested by case. It is shown where all cases are those that are compared. */
function derivedRow({ a, b }: Sides, { name, unit }: Metric, isAll: boolean): MetricDiff {
  const reason = "derived from other figures";
  if (!isAll) return untested(null, null, `${reason}, and not all cases are compared`);
  const round = unit === "ms" ? roundMs : unit === "usd" ? roundUsd : roundShare;
  return untested(a.figures[name] ?? null, b.figures[name] ?? null, reason, round);
}

function isEverything({ a, b, tasks }: Sides): boolean {
  return tasks.length === a.tasks.length && tasks.length === b.tasks.length;
}
