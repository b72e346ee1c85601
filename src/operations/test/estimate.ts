import { noModel } from "../../engine/without-model.ts";
import { estimateTriggers } from "../../levels/trigger/estimate.ts";
import type { Affected } from "./affected.ts";
import type { TestLevel } from "./options.ts";
import type { ReadyTest } from "./prepare.ts";
import { untested } from "./untested.ts";

/** What one level would do. */
interface LevelEstimate {
  level: TestLevel;
  suites: number;
  cases: number;
  cells: number;
  /** The fewest calls of models; agents and repairs may make more. */
  modelCalls: number;
  /** Null where it is not known before. */
  maxUsd: number | null;
}

/** What a run would do. */
export interface TestEstimate {
  /** What changed since a git ref, where the run is limited to that. */
  changed?: { ref: string; affected: readonly Affected[] };
  skills: number;
  untested: string[];
  /** What needs a model that is not there. */
  withoutModel: string[];
  levels: LevelEstimate[];
  cells: number;
  modelCalls: number;
  maxUsd: number | null;
}

/** Counts what would run, by level, without calling anything. */
export async function estimateTest(ready: ReadyTest): Promise<TestEstimate> {
  const levels = [
    contractEstimate(ready),
    unitEstimate(ready),
    await triggerEstimate(ready),
    ...caseEstimates(ready),
    benchEstimate(ready),
  ];
  const known = levels.filter(({ cells }) => cells > 0);
  const sum = (part: (one: LevelEstimate) => number) => known.reduce((total, one) => total + part(one), 0);
  const names = (reason: string) =>
    ready.skipped
      .filter((one) => one.reason === reason)
      .map(({ caseId, skillId, suite }) => caseId ?? skillId ?? suite ?? "");
  const { since } = ready;
  return {
    ...(since !== null && { changed: { ref: since.ref, affected: since.affected ?? [] } }),
    skills: ready.material.skills.length,
    untested: names(untested),
    withoutModel: names(noModel),
    levels: known,
    cells: sum(({ cells }) => cells),
    modelCalls: sum(({ modelCalls }) => modelCalls),
    maxUsd: known.some(({ maxUsd }) => maxUsd === null) ? null : sum(({ maxUsd }) => maxUsd ?? 0),
  };
}

function contractEstimate({ contracts }: ReadyTest): LevelEstimate {
  const count = contracts?.skillIds.length ?? 0;
  return made("contract", Math.min(count, 1), { cases: count, cells: count, modelCalls: 0 });
}

function unitEstimate({ unit }: ReadyTest): LevelEstimate {
  const suites = unit?.unitSuites ?? [];
  let [cases, cells, modelCalls] = [0, 0, 0];
  for (const { tasks, suite } of suites) {
    cases += tasks.length;
    cells += suite.cells.size;
    const judged = tasks.filter(({ scorer }) => scorer.type === "llm_judge").length;
    modelCalls += judged * suite.trials * suite.subjects.length;
  }
  return made("unit", suites.length, { cases, cells, modelCalls });
}

async function triggerEstimate({ trigger }: ReadyTest): Promise<LevelEstimate> {
  if (trigger === null) return made("trigger", 0, { cases: 0, cells: 0, modelCalls: 0 });
  const { queries, judgments, cached, tokensIn, maxUsd } = await estimateTriggers(trigger);
  const modelCalls = tokensIn === null ? 0 : judgments - cached;
  return { ...made("trigger", 1, { cases: queries, cells: judgments, modelCalls }), maxUsd };
}

function caseEstimates({ agents }: ReadyTest): LevelEstimate[] {
  return (["agent", "conversation"] as const).map((level) => {
    const plans = (agents?.plans ?? []).filter((plan) => plan.level === level);
    let [cases, cells, modelCalls] = [0, 0, 0];
    for (const plan of plans) {
      cases += plan.cases.length;
      for (const subject of plan.subjects) {
        const runs = plan.casesOf(subject).reduce((sum, { trials }) => sum + trials, 0);
        cells += runs;
        if (subject.caseClass === "L2") modelCalls += runs;
      }
    }
    return made(level, plans.length, { cases, cells, modelCalls });
  });
}

function benchEstimate({ benches }: ReadyTest): LevelEstimate {
  let [cases, cells, modelCalls] = [0, 0, 0];
  for (const bench of benches) {
    cases += bench.cases.length;
    cells += bench.cases.length * bench.samples;
    if (bench.target.callsModel)
      modelCalls += bench.cases.filter(({ loaded }) => loaded.source === "model").length * bench.samples;
  }
  return made("planbench", benches.length, { cases, cells, modelCalls });
}

function made(
  level: TestLevel,
  suites: number,
  counts: Pick<LevelEstimate, "cases" | "cells" | "modelCalls">,
): LevelEstimate {
  return { level, suites, ...counts, maxUsd: counts.modelCalls === 0 ? 0 : null };
}
