import type { Strategy } from "../../contract/strategy.ts";
import { roundMs, roundShare } from "../../shared/statistics/numbers.ts";
import { type MeasuredSkill, type MergedSkill, mergeReports } from "./merge-reports.ts";
import type { SelectedSkill, Selection, SelectionMetrics } from "./selection.ts";
import { type FilteredSkill, strategyReasons } from "./strategy.ts";

/** A skill one could choose, as it is now. */
export interface Candidate extends FilteredSkill {
  skillId: string;
  skillVersion: string;
  skillDigest: string;
  /** Its `skill.json`, as it should be shown. */
  path: string;
}

/** Filters, ranks and takes the first: which candidates to use, and why not the others. */
export function selectSkills(
  candidates: readonly Candidate[],
  reports: readonly MeasuredSkill[],
  strategy: Strategy,
): Selection {
  const { filters, sortBy, topK } = strategy;
  const order = strategy.order ?? (sortBy === "latency" || sortBy === "tokenCost" ? "asc" : "desc");
  const merged = mergeReports(reports);
  const judged = candidates.map((candidate) => judge(candidate, merged.get(candidate.skillId), filters));
  const passed = judged.flatMap(({ passed }) => passed ?? []);
  const sortValue = makeSortValue(sortBy, passed);
  const ranked = passed.sort(
    (a, b) => byValue(sortValue(a), sortValue(b), order) || byComposite(a, b) || byId(a, b),
  );
  const last = topK ?? ranked.length;
  return {
    strategy: { filters, sortBy, order, topK: topK ?? null },
    selected: ranked.slice(0, last).map((skill, at) => selected(skill, at + 1, sortValue(skill))),
    rejected: [
      ...judged
        .filter(({ reasons }) => reasons.length > 0)
        .map(({ skillId, reasons }) => ({ skillId, reasons })),
      ...ranked.slice(last).map(({ candidate: { skillId } }, at) => ({
        skillId,
        reasons: [`rank ${last + at + 1} > topK ${last}`],
      })),
    ].sort((a, b) => byText(a.skillId, b.skillId)),
  };
}

interface Passed extends MergedSkill {
  candidate: Candidate;
}

interface Judged {
  skillId: string;
  passed: Passed | null;
  reasons: string[];
}

function judge(candidate: Candidate, merged: MergedSkill | undefined, filters: Strategy["filters"]): Judged {
  const { skillId } = candidate;
  if (merged === undefined) return { skillId, passed: null, reasons: ["no report"] };
  const reasons = strategyReasons(candidate, merged.metrics, filters);
  return { skillId, passed: reasons.length === 0 ? { ...merged, candidate } : null, reasons };
}

type SortValue = (skill: Passed) => number | null;

function makeSortValue(sortBy: Strategy["sortBy"], skills: readonly Passed[]): SortValue {
  switch (sortBy) {
    case "compositeScore":
      return ({ metrics }) => metrics.compositeScore;
    case "completionRate":
      return ({ metrics }) => metrics.completionRate;
    case "latency":
      return ({ metrics }) => metrics.latencyP95Ms;
    case "tokenCost": {
      // Dollars and tokens cannot be compared, so one missing price makes all of them count in tokens.
      const isPriced = skills.every(({ metrics: { tokenCost } }) => tokenCost?.estimatedUSD !== null);
      return ({ metrics: { tokenCost } }) =>
        (isPriced ? tokenCost?.estimatedUSD : tokenCost?.totalTokens) ?? null;
    }
    default:
      return sortBy satisfies never;
  }
}

/** Unknown values come last in either order. */
function byValue(a: number | null, b: number | null, order: "asc" | "desc"): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return order === "asc" ? a - b : b - a;
}

function byComposite(a: Passed, b: Passed): number {
  return byValue(a.metrics.compositeScore, b.metrics.compositeScore, "desc");
}

function byId(a: Passed, b: Passed): number {
  return byText(a.candidate.skillId, b.candidate.skillId);
}

function byText(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function selected({ candidate, metrics, newest }: Passed, rank: number, value: number | null): SelectedSkill {
  const { skillId, skillVersion, skillDigest, path } = candidate;
  return {
    rank,
    skillId,
    skillVersion,
    path,
    sortValue: roundShare(value),
    stale: newest.some(
      (report) => differ(report.skillVersion, skillVersion) || differ(report.skillDigest, skillDigest),
    ),
    metrics: rounded(metrics),
  };
}

/** A report of other making may not say what it measured; then nothing is known to differ. */
function differ(reported: string, current: string): boolean {
  return reported !== "" && reported !== current;
}

function rounded(metrics: SelectionMetrics): SelectionMetrics {
  return {
    completionRate: roundShare(metrics.completionRate),
    errorRate: roundShare(metrics.errorRate),
    latencyP95Ms: roundMs(metrics.latencyP95Ms),
    compositeScore: roundShare(metrics.compositeScore),
    tokenCost: metrics.tokenCost && {
      ...metrics.tokenCost,
      estimatedUSD: roundShare(metrics.tokenCost.estimatedUSD),
    },
  };
}
