import { agentSides } from "../aggregate/agent/agent-sides.ts";
import {
  differingAgentConditions,
  differingConditions,
  differingJudges,
  differingPlanConditions,
  differingTriggerConditions,
  haveSameLoad,
} from "../aggregate/compare-conditions.ts";
import { type PairedSkills, pairSkills } from "../aggregate/compare-pairs.ts";
import { type ComparedSide, unitSide } from "../aggregate/compared-side.ts";
import { planSides } from "../aggregate/planbench/plan-sides.ts";
import { triggeringSide, triggerSide } from "../aggregate/trigger-side.ts";
import { listed } from "../base/listed.ts";
import type { AgentReportFile } from "../contract/agent-report.ts";
import type { ReportDiff } from "../contract/diff.ts";
import type { PlanReportFile } from "../contract/planbench-report.ts";
import type { ReportFile } from "../contract/report.ts";
import type { TriggeringEntry, TriggerReportFile } from "../contract/trigger-report.ts";
import type { AnyReport } from "../spec/read-any-report.ts";

/** What of two reports belongs together, and what else differs between them. */
export interface PairedReports extends PairedSkills<ComparedSide> {
  isLatencyComparable: boolean;
  warnings: string[];
}

/** Finds what two reports have in common; null where they are of different levels, which nothing can compare. */
export function pairReports(a: AnyReport, b: AnyReport, labels: ReportDiff["labels"]): PairedReports | null {
  if (a.command === "trigger") return b.command === "trigger" ? pairTriggerReports(a, b, labels) : null;
  if (a.command === "agent eval") return b.command === "agent eval" ? pairAgentReports(a, b, labels) : null;
  if (a.command === "planbench") return b.command === "planbench" ? pairPlanReports(a, b, labels) : null;
  if (b.command === "trigger" || b.command === "agent eval" || b.command === "planbench") return null;
  return pairUnitReports(a, b, labels);
}

/** By bench and stratum, whatever the models: what another one does to the cases is the question. */
function pairPlanReports(a: PlanReportFile, b: PlanReportFile, labels: ReportDiff["labels"]): PairedReports {
  const named = (report: PlanReportFile) => planSides(report).map((side) => ({ ...side, skillId: "", side }));
  const { pairs, added, removed } = pairSkills(named(a), named(b));
  return {
    pairs: pairs.map((pair) => ({ a: pair.a.side, b: pair.b.side })),
    added: added.map(({ side }) => side),
    removed: removed.map(({ side }) => side),
    isLatencyComparable: haveSameLoad(a, b),
    warnings: differingPlanConditions(a, b, labels),
  };
}

/** By suite and model. Where each report has one model, another one pairs with it: what it does to the cases is the question. */
function pairAgentReports(
  a: AgentReportFile,
  b: AgentReportFile,
  labels: ReportDiff["labels"],
): PairedReports {
  const [before, after] = [agentSides(a), agentSides(b)];
  const modelsOf = (sides: readonly ComparedSide[]) =>
    new Set(sides.map(({ skillId }) => skillId).filter((model) => model !== "mock"));
  const areSingle = modelsOf(before).size === 1 && modelsOf(after).size === 1;
  const named = (sides: readonly ComparedSide[]) =>
    sides.map((side) => ({
      ...side,
      skillId: areSingle && side.skillId !== "mock" ? "" : side.skillId,
      side,
    }));
  const { pairs, added, removed } = pairSkills(named(before), named(after));
  return {
    pairs: pairs.map((pair) => ({ a: pair.a.side, b: pair.b.side })),
    added: added.map(({ side }) => side),
    removed: removed.map(({ side }) => side),
    isLatencyComparable: haveSameLoad(a, b),
    warnings: differingAgentConditions(a, b, labels),
  };
}

function pairTriggerReports(
  a: TriggerReportFile,
  b: TriggerReportFile,
  labels: ReportDiff["labels"],
): PairedReports {
  const sides = ({ results }: TriggerReportFile) =>
    results.filter(({ skipped }) => skipped === null).map(triggerSide);
  const paired = pairSkills(sides(a), sides(b));
  return {
    ...paired,
    isLatencyComparable: haveSameLoad(a, b),
    warnings: [...differingTriggerConditions(a, b, labels), ...differingJudges(paired.pairs, labels)],
  };
}

/** Tasks, and beside them the trigger tests that the same runs did: a worse description is a regression as well. */
function pairUnitReports(a: ReportFile, b: ReportFile, labels: ReportDiff["labels"]): PairedReports {
  const tasks = pairSkills(a.reports, b.reports);
  const leftOut = new Set([...a.triggering, ...b.triggering].filter(isLeftOut).map(({ skillId }) => skillId));
  const sides = ({ triggering }: ReportFile) =>
    triggering
      .filter(({ skillId, skipped }) => skipped === null && !leftOut.has(skillId))
      .map(triggeringSide);
  const queries = pairSkills(sides(a), sides(b));
  return {
    pairs: [...tasks.pairs.map((pair) => ({ a: unitSide(pair.a), b: unitSide(pair.b) })), ...queries.pairs],
    added: [...tasks.added.map(unitSide), ...queries.added],
    removed: [...tasks.removed.map(unitSide), ...queries.removed],
    isLatencyComparable: haveSameLoad(a, b),
    warnings: [
      ...differingConditions(a, b, tasks.pairs, labels),
      ...differingJudges(queries.pairs, labels),
      ...(leftOut.size === 0
        ? []
        : [`trigger tests of ${listed([...leftOut], 3)} left out: one run was of single cases (--case)`]),
    ],
  };
}

/** A run of single cases asks no query: that says nothing about the tests it left out. */
function isLeftOut({ skipped }: TriggeringEntry): boolean {
  return skipped === "single-case";
}
