import { neverAccepted } from "../contract/cause.ts";
import { type PlannedCase, type Subject, subjectName } from "../contract/cell.ts";
import type { SubjectReport } from "../contract/document.ts";
import type { CanaryFigures, JudgeFigures, SubjectFigures } from "../contract/figures.ts";
import type { Level, MetricValue, OwnFigures, SuiteRun } from "../contract/level.ts";
import type { CellResult, Counts } from "../contract/result.ts";
import { sha256 } from "../shared/json/canonical-json.ts";
import { warningFold } from "./figures/cell-warnings.ts";
import { judgeFold } from "./figures/judge-figures.ts";
import { cpuBurns } from "./figures/latency-figures.ts";
import { rerunInterval } from "./figures/rate-figure.ts";
import { type SkillSummary, skillSummary } from "./figures/summarize-skill.ts";
import { noQuarantine, type Quarantine } from "./quarantine.ts";

export interface Summary {
  /** Takes the result of one cell of this suite; each cell is counted once, in any order. */
  add(suite: SuiteRun, result: CellResult): void;
  /** Every subject in the order of the suites, at full precision. `maxInvalid`: the share of it that may be without a verdict. */
  subjects(maxInvalid?: (level: Level, subject: Subject) => number): Promise<SubjectReport[]>;
  /** Level → figures over all its subjects. */
  overall(): Map<string, Readonly<Record<string, MetricValue>>>;
  /** How many cells have no verdict for a reason that no accepted share covers. */
  unacceptable(): number;
  /** The cost of judging, apart from the skills. */
  judges(canaries: ReadonlyMap<string, CanaryFigures>): JudgeFigures[];
  warnings(): string[];
  /** How many verdicts come from which earlier runs. */
  reused(): { cells: number; runs: string[]; isAll: boolean };
  /** When the times of cells were recorded; null where none comes from a recording. */
  timesRecorded(): string | null;
}

interface SubjectRow {
  subject: Subject;
  base: SkillSummary;
  /** Those that decide something. */
  cases: readonly PlannedCase[];
  /** Its cells in quarantine, by how they ended; null where it has no such cases. */
  left: { cases: number; counts: Counts } | null;
}

/** Folds the cells of a run into its subjects, whether they come from the store or from the run itself. What is in quarantine is only counted. */
export function openSummary(suites: readonly SuiteRun[], quarantine: Quarantine = noQuarantine): Summary {
  const burns = cpuBurns();
  const rows = new Map<SuiteRun, Map<string, SubjectRow>>();
  for (const suite of suites)
    rows.set(
      suite,
      new Map(
        suite.subjects.map((subject) => {
          const left = quarantine.casesOf(suite, subject);
          const all = suite.casesOf(subject);
          const cases = left.size === 0 ? all : all.filter(({ id }) => !left.has(id));
          if (left.size > 0) suite.fold?.leaveOut?.(subject, suite.id, new Set(left.keys()));
          const base = skillSummary({
            pricing: suite.pricingOf?.(subject),
            scoring: suite.scoring,
            runs: suite.trials,
            cases,
            burns,
          });
          const counted = left.size === 0 ? null : { cases: left.size, counts: noCounts() };
          return [subjectName(subject), { subject, base, cases, left: counted }];
        }),
      ),
    );
  const folds = new Set(suites.flatMap(({ fold }) => fold ?? []));
  const judging = judgeFold();
  const warned = warningFold();
  let unacceptable = 0;
  const recorded = recordedDays();
  const reused = { cells: 0, runs: new Set<string>(), isAll: false };
  return {
    add(suite, result) {
      judging.add(result);
      warned.add(result);
      const row = rows.get(suite)?.get(subjectName(result));
      if (row?.left != null && quarantine.find(suite, result, result.caseId) !== null) {
        addVerdict(row.left.counts, result);
        return;
      }
      row?.base.add(result);
      suite.fold?.add(result);
      if (result.cause !== null && neverAccepted.has(result.cause)) unacceptable++;
      recorded.add(result);
      if (result.reusedFrom === undefined) return;
      reused.cells++;
      reused.runs.add(result.reusedFrom);
      if (result.isReusedOpen === true) reused.isAll = true;
    },
    async subjects(maxInvalid = () => 0) {
      const reports: SubjectReport[] = [];
      for (const [suite, found] of rows)
        for (const { subject, base, cases, left } of found.values()) {
          const accepted = maxInvalid(suite.level, subject);
          const report = await subjectReport({ suite, subject, cases }, base.figures(), accepted);
          reports.push(left === null ? report : { ...report, quarantined: left });
        }
      return reports;
    },
    overall() {
      const all = new Map<string, Readonly<Record<string, MetricValue>>>();
      for (const { level, fold } of suites)
        if (fold?.overall !== undefined && !all.has(level.name)) all.set(level.name, fold.overall());
      return all;
    },
    unacceptable: () => unacceptable,
    judges: judging.figures,
    warnings: () => [...[...folds].flatMap((fold) => fold.warnings?.() ?? []), ...warned.warnings()],
    timesRecorded: recorded.words,
    reused: () => ({ ...reused, runs: [...reused.runs].sort() }),
  };
}

function noCounts(): Counts {
  return { total: 0, pass: 0, fail: 0, error: 0, timeout: 0, invalid: 0 };
}

function addVerdict(counts: Counts, { status }: CellResult): void {
  counts[status]++;
  if (status !== "invalid") counts.total++;
}

/** The days on which replayed replies were recorded. */
function recordedDays() {
  const days = new Set<string>();
  return {
    add({ recordedAt }: CellResult): void {
      if (recordedAt !== undefined) days.add(recordedAt?.slice(0, "2026-11-19".length) ?? "day unknown");
    },
    words(): string | null {
      const [first, ...more] = [...days].sort();
      if (first === undefined) return null;
      return more.length === 0 ? first : `${first} to ${more.at(-1)}`;
    },
  };
}

async function subjectReport(
  { suite, subject, cases }: { suite: SuiteRun; subject: Subject; cases: readonly PlannedCase[] },
  base: SubjectFigures,
  maxShare: number,
): Promise<SubjectReport> {
  const { skillId, skillVersion, skillDigest, model, arm } = subject;
  const own: OwnFigures = (await suite.fold?.figures(subject, suite.id)) ?? { metrics: {}, details: {} };
  const values: Record<string, MetricValue> = { ...baseMetrics(base), ...own.metrics };
  const directions = new Map(suite.level.metrics.map(({ name, better }) => [name, better]));
  const metrics = Object.entries(values).map(([name, { value, interval = null, thisSuite, n = null }]) => {
    const better = directions.get(name) ?? baseDirections[name] ?? "up";
    // A level that gives the interval of a rate need not give the other one.
    const rerun = thisSuite ?? rerunInterval(value, interval);
    const isKnown = rerun !== null || thisSuite !== undefined;
    return [name, { value, interval, ...(isKnown && { thisSuite: rerun }), n, better }] as const;
  });
  return {
    skillId,
    skillVersion,
    skillDigest,
    suite: suite.id,
    level: suite.level.name,
    model,
    arm,
    casesDigest: casesDigest(cases),
    trials: suite.trials,
    counts: base.counts,
    unknown: { ...(own.unknown ?? invalidCells(base)), maxShare },
    metrics: Object.fromEntries(metrics),
    byTag: base.byTag,
    details: { ...baseDetails(base), ...own.details },
  };
}

const knownDigests = new WeakMap<readonly PlannedCase[], string>();

/** Most levels give all subjects the same list, which may be long. */
function casesDigest(cases: readonly PlannedCase[]): string {
  const known = knownDigests.get(cases);
  if (known !== undefined) return known;
  const digest = sha256(
    cases
      .map((one) => one.digest)
      .sort()
      .join("\n"),
  );
  knownDigests.set(cases, digest);
  return digest;
}

function invalidCells({ counts: { invalid, total } }: SubjectFigures): { count: number; of: number } {
  return { count: invalid, of: invalid + total };
}

/** The figures that every level has, because every level has cells. */
function baseMetrics({ counts, summary, latency, tokenCost }: SubjectFigures): Record<string, MetricValue> {
  const n = counts.total;
  const { completionRate, partialScore, errorRate, flakeRate } = summary;
  const { errorRateWithRetries, retriedRate, completionWithInvalid, invalidShare, caseCoverage } = summary;
  return {
    completionRate,
    completionWithInvalid,
    partialScore,
    errorRate,
    errorRateWithRetries,
    retriedRate,
    consistencyScore: { value: summary.consistencyScore, n },
    flakeRate,
    compositeScore: { value: summary.compositeScore, n },
    latencyP50Ms: { value: latency.p50Ms, n },
    latencyP95Ms: latency.p95Ms,
    latencyP99Ms: latency.p99Ms,
    latP95Norm: { value: latency.latP95Norm, n },
    invalidShare,
    caseCoverage,
    tokenCost: { value: tokenCost?.estimatedUSD ?? null, n },
  };
}

const baseDirections: Readonly<Record<string, "up" | "down">> = {
  errorRate: "down",
  errorRateWithRetries: "down",
  retriedRate: "down",
  invalidShare: "down",
  flakeRate: "down",
  latencyP50Ms: "down",
  latencyP95Ms: "down",
  latencyP99Ms: "down",
  latP95Norm: "down",
  tokenCost: "down",
};

function baseDetails({ summary, latency, tokenCost }: SubjectFigures): SubjectReport["details"] {
  const { passAtK, passHatK, passAtKIntervals } = summary;
  const { maxLatencyMs, disturbed } = latency;
  return {
    passAtK,
    passHatK,
    ...(passAtKIntervals && { passAtKIntervals }),
    maxLatencyMs,
    ...(disturbed !== undefined && { disturbed }),
    tokenCost,
  };
}
