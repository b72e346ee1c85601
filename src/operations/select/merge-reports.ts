import type { SubjectReport } from "../../contract/document.ts";
import { TokenCost } from "../../contract/figures.ts";
import type { RunHistory } from "../../contract/store.ts";
import { listed } from "../../shared/text/phrases.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";
import { openSqliteHistory } from "../../store/open-history.ts";
import type { SelectionMetrics } from "./selection.ts";

/** The part of a report that choosing among skills needs. */
export interface MeasuredSkill extends Pick<SubjectReport, "skillVersion" | "skillDigest"> {
  skillId: string;
  benchmarkId: string;
  /** Of the content of the cases; left out where nobody recorded it. */
  casesDigest?: string | undefined;
  timestamp: string;
  summary: Record<"completionRate" | "errorRate" | "compositeScore", number | null>;
  latency: { p95Ms: number | null };
  tokenCost: TokenCost | null;
}

/** What a report says of one skill on one benchmark. */
export function measuredSkill(subject: SubjectReport, timestamp: string): MeasuredSkill {
  const { skillId, skillVersion, skillDigest, suite, casesDigest, metrics, details } = subject;
  const value = (name: string) => metrics[name]?.value ?? null;
  return {
    skillId: skillId ?? "",
    skillVersion,
    skillDigest,
    benchmarkId: suite,
    casesDigest,
    timestamp,
    summary: {
      completionRate: value("completionRate"),
      errorRate: value("errorRate"),
      compositeScore: value("compositeScore"),
    },
    latency: { p95Ms: value("latencyP95Ms") },
    tokenCost: TokenCost.nullable().parse(details.tokenCost ?? null),
  };
}

/** One skill over all its benchmarks. */
export interface MergedSkill {
  metrics: SelectionMetrics;
  /** The reports behind the metrics, one per benchmark. */
  newest: readonly MeasuredSkill[];
}

/** Per skill and benchmark the newest report counts; over benchmarks rates are averaged and the largest p95 counts. */
export function mergeReports(reports: readonly MeasuredSkill[]): Map<string, MergedSkill> {
  const newest = new Map<string, Map<string, MeasuredSkill>>();
  for (const report of reports) {
    const byBenchmark = newest.get(report.skillId) ?? new Map<string, MeasuredSkill>();
    newest.set(report.skillId, byBenchmark);
    const known = byBenchmark.get(report.benchmarkId);
    if (known === undefined || reportTime(report) > reportTime(known))
      byBenchmark.set(report.benchmarkId, report);
  }
  return new Map([...newest].map(([skillId, found]) => [skillId, mergeSkill([...found.values()])]));
}

/** A warning for each benchmark whose cases changed between the newest runs of these skills: their figures do not compare. */
export function changedCases(
  skillIds: readonly string[],
  merged: ReadonlyMap<string, Pick<MergedSkill, "newest">>,
): string[] {
  const reports = [...new Set(skillIds)].flatMap((skillId) => merged.get(skillId)?.newest ?? []);
  const known = reports.filter(({ casesDigest }) => casesDigest !== undefined);
  return [...groupedBy(known, ({ benchmarkId }) => benchmarkId)].flatMap(([benchmarkId, group]) => {
    const [newest] = [...group].sort((a, b) => reportTime(b) - reportTime(a));
    const names = (isNewest: boolean) =>
      group
        .filter(({ casesDigest }) => (casesDigest === newest?.casesDigest) === isNewest)
        .map(({ skillId }) => skillId);
    const others = names(false);
    if (others.length === 0) return [];
    return [
      `the cases of ${benchmarkId} changed between runs: ${listed(names(true), maxNamed)} ran the newest ones, ${listed(others, maxNamed)} earlier ones, so their figures do not compare; evaluate them together`,
    ];
  });
}

const maxNamed = 3;

/** A report that does not say when it was made is older than any that does. */
function reportTime({ timestamp }: MeasuredSkill): number {
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

function mergeSkill(newest: readonly MeasuredSkill[]): MergedSkill {
  return {
    newest,
    metrics: {
      completionRate: mean(newest.map(({ summary }) => summary.completionRate)),
      errorRate: mean(newest.map(({ summary }) => summary.errorRate)),
      latencyP95Ms: largest(newest.map(({ latency }) => latency.p95Ms)),
      compositeScore: mean(newest.map(({ summary }) => summary.compositeScore)),
      tokenCost: sum(newest.map(({ tokenCost }) => tokenCost)),
    },
  };
}

/** A benchmark without a verdict says nothing about the skill, so it neither helps nor harms. */
function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0) / known.length;
}

function largest(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((most, value) => Math.max(most, value));
}

function sum(costs: readonly (TokenCost | null)[]): TokenCost | null {
  const known = costs.filter((cost) => cost !== null);
  if (known.length === 0) return null;
  return known.reduce((total, cost) => ({
    promptTokens: total.promptTokens + cost.promptTokens,
    completionTokens: total.completionTokens + cost.completionTokens,
    totalTokens: total.totalTokens + cost.totalTokens,
    // A price that is known in part would rank a skill as cheaper than it is.
    estimatedUSD:
      total.estimatedUSD === null || cost.estimatedUSD === null
        ? null
        : total.estimatedUSD + cost.estimatedUSD,
  }));
}

/** The newest finished report of every skill and benchmark in a store; an empty store is an error. */
export async function storedReports(path: string, shownPath: string): Promise<MeasuredSkill[]> {
  const reports = await readNewest(path);
  if (reports.length > 0) return reports;
  throw new UserError("nothing-to-do", `the store ${shownPath} contains no finished report`, {
    path: shownPath,
    hint: "run `eval-skills eval` first, or pass report files with --reports",
  });
}

async function readNewest(path: string): Promise<MeasuredSkill[]> {
  await using history = await openSqliteHistory(path);
  return history === null ? [] : await newestReports(history);
}

/** The newest finished report of every skill and benchmark: how well it does its job, so of level unit alone. */
export async function newestReports(history: RunHistory): Promise<MeasuredSkill[]> {
  const found: MeasuredSkill[] = [];
  for await (const page of history.finishedReports({ level: "unit", isLatestOnly: true }))
    found.push(...page.map(({ subject, finishedAt }) => measuredSkill(subject, finishedAt)));
  return found;
}
