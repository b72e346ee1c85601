import type { PlannedCase } from "../contract/cell.ts";
import type {
  CaseReport,
  Interval,
  MachineReport,
  MetricReport,
  QuarantineReport,
  ReportDocument,
  SubjectReport,
} from "../contract/document.ts";
import type { JudgeFigures } from "../contract/figures.ts";
import type { Rendered } from "../contract/format.ts";
import type { GrantedAsk } from "../contract/grant.ts";
import type { Metric, SuiteRun } from "../contract/level.ts";
import type { Shard } from "../contract/shard.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import { roundMs, roundShare, roundUsd } from "../shared/statistics/numbers.ts";
import { shorten } from "../shared/text/visible-text.ts";
import type { PreparedRun, StartedRun } from "./prepared-run.ts";

export interface DocumentFacts
  extends Pick<ReportDocument, "subjects" | "gates" | "warnings" | "files" | "exitCode"> {
  quarantine?: readonly QuarantineReport[];
  run: StartedRun;
  finishedAt: string;
  command: string;
  concurrency: number;
  store: string;
  version: string;
  granted: readonly GrantedAsk[];
  machine: MachineReport | null;
  ready: PreparedRun;
  suites: readonly SuiteRun[];
  judges: JudgeFigures[];
  timesRecorded: string | null;
  shard?: Shard | null;
  reused?: NonNullable<Rendered["run"]["reused"]>;
}

/** Builds the report document. Cases are produced one at a time. */
export function makeDocument(facts: DocumentFacts): Rendered {
  const { run, ready, suites, subjects } = facts;
  const sum = (count: (subject: SubjectReport) => number) =>
    subjects.reduce((total, subject) => total + count(subject), 0);
  return {
    schemaVersion: 2,
    tool: { name: "eval-skills", version: facts.version },
    run: {
      id: run.id,
      command: facts.command,
      startedAt: run.startedAt,
      finishedAt: facts.finishedAt,
      trials: Math.max(1, ...suites.map(({ trials }) => trials)),
      concurrency: facts.concurrency,
      seed: ready.seed,
      planDigest: planDigest(suites),
      containment: run.merged?.containment ?? ready.containment,
      store: facts.store,
      models: [...ready.models],
      agents: [],
      grants: [...ready.redact(facts.granted)],
      vacuousExpectations: [...ready.redact(ready.vacuous ?? [])],
      timesRecorded: facts.timesRecorded,
      ...(facts.reused !== undefined && facts.reused.cells > 0 && { reused: facts.reused }),
      machine: facts.machine,
      git: null,
      shard: facts.shard == null ? null : { ...facts.shard },
      conditions: ready.redact(ready.conditions()),
      settings: ready.redact(ready.settings()),
    },
    suites: suites.map((suite) => ({
      id: suite.id,
      level: suite.level.name,
      version: suite.version,
      digest: suite.digest,
      cases: [...casesIn(suite)].length,
    })),
    subjects: subjects.map((subject) => roundSubject(subject, levelMetrics(suites, subject.level))),
    gates: facts.gates,
    cases: reportCases(suites, ready.redact),
    judges: facts.judges as unknown as Json[],
    skipped: [...ready.skipped],
    ...(facts.quarantine !== undefined &&
      facts.quarantine.length > 0 && { quarantine: [...facts.quarantine] }),
    notLoaded: [...ready.redact(ready.notLoaded ?? [])],
    passed: sum(({ counts }) => counts.pass),
    total: sum(({ counts }) => counts.total),
    warnings: ready.redact([...facts.warnings]),
    files: facts.files,
    exitCode: facts.exitCode,
  };
}

function levelMetrics(suites: readonly SuiteRun[], level: string): readonly Metric[] {
  return suites.find((suite) => suite.level.name === level)?.level.metrics ?? [];
}

/** Of suites, subjects and trials: the same plan has the same digest on every machine. */
function planDigest(suites: readonly SuiteRun[]): string {
  return sha256(
    canonicalJson(
      suites.map(({ level, id, digest, trials, subjects }) => ({
        level: level.name,
        id,
        digest,
        trials,
        subjects: subjects.map(({ skillId, skillDigest, model, arm }) => ({
          skillId,
          skillDigest,
          model,
          arm,
        })),
      })),
    ),
  );
}

/** Rounds shares and scores to 4 decimals, latencies to 3. Gates and ranks use the unrounded figures. */
function roundSubject(subject: SubjectReport, metrics: readonly Metric[]): SubjectReport {
  const units = new Map(metrics.map(({ name, unit }) => [name, unit]));
  const rounded = Object.entries(subject.metrics).map(
    ([name, metric]) =>
      [name, roundMetric(metric, units.get(name) ?? (/Ms$/.test(name) ? "ms" : "share"))] as const,
  );
  const byTag = Object.entries(subject.byTag).map(([tag, figures]) => {
    const { completionRate, interval, partialScore } = figures;
    const shares = { completionRate: roundShare(completionRate), partialScore: roundShare(partialScore) };
    return [tag, { ...figures, ...shares, interval: roundInterval(interval, roundShare) }] as const;
  });
  return {
    ...subject,
    metrics: Object.fromEntries(rounded),
    byTag: Object.fromEntries(byTag),
    details: roundDetails(subject.details),
  };
}

function roundMetric(metric: MetricReport, unit: Metric["unit"]): MetricReport {
  if (unit === "count") return metric;
  const round = unit === "ms" ? roundMs : unit === "usd" ? roundUsd : roundShare;
  const { value, interval, thisSuite } = metric;
  return {
    ...metric,
    value: round(value),
    interval: roundInterval(interval, round),
    ...(thisSuite !== undefined && { thisSuite: roundInterval(thisSuite, round) }),
  };
}

function roundInterval(interval: Interval | null, round: (value: number) => number): Interval | null {
  if (interval === null) return null;
  const { lower, upper, nEff } = interval;
  return { ...interval, lower: round(lower), upper: round(upper), nEff: roundShare(nEff) };
}

/** Rounds the details that every level has; a level rounds its own. */
function roundDetails(details: SubjectReport["details"]): SubjectReport["details"] {
  const { passAtK, passHatK, passAtKIntervals = null, tokenCost, ...own } = details;
  const intervals = passAtKIntervals as unknown as Record<string, Interval> | null;
  const shares = (values: Json | undefined) =>
    values === null || typeof values !== "object"
      ? (values ?? null)
      : Object.fromEntries(Object.entries(values).map(([k, value]) => [k, roundShare(value as number)]));
  const cost = tokenCost as { estimatedUSD: number | null } | null;
  return {
    passAtK: shares(passAtK),
    passHatK: shares(passHatK),
    ...(intervals && {
      passAtKIntervals: Object.fromEntries(
        Object.entries(intervals).map(([k, interval]) => [k, roundInterval(interval, roundShare)]),
      ),
    }),
    ...own,
    tokenCost: cost && { ...cost, estimatedUSD: roundShare(cost.estimatedUSD) },
  };
}

const shownChars = 2000;
const shownCharsOfMany = 200;
const manyCases = 5000;

/** The cases as a report shows them: enough to understand a result without the suite. Of very many, less is shown. */
function reportCases(suites: readonly SuiteRun[], redact: PreparedRun["redact"]): Iterable<CaseReport> {
  return {
    *[Symbol.iterator]() {
      for (const suite of suites) {
        const found = [...casesIn(suite)];
        const chars = found.length > manyCases ? shownCharsOfMany : shownChars;
        for (const { one, skillId } of found) {
          const shown = caseReport(suite, skillId, one, chars);
          // Names given by the user stay: cells refer to cases by name.
          yield { ...shown, ...redact({ title: shown.title, input: shown.input, expected: shown.expected }) };
        }
      }
    },
  };
}

/** Cases that all subjects share come once, those of one skill under its id. */
function* casesIn(suite: SuiteRun): Iterable<{ one: PlannedCase; skillId: string | null }> {
  const [first] = suite.subjects;
  if (first === undefined) return;
  const lists = new Map(suite.subjects.map((subject) => [suite.casesOf(subject), subject.skillId]));
  const seen = new Set<string>();
  for (const [list, skillId] of lists)
    for (const one of list) {
      const owner = lists.size === 1 ? null : skillId;
      const name = JSON.stringify([owner, one.id]);
      if (seen.has(name)) continue;
      seen.add(name);
      yield { one, skillId: owner };
    }
}

function caseReport(
  { id, level }: SuiteRun,
  skillId: string | null,
  one: PlannedCase,
  chars: number,
): CaseReport {
  const input = shown(one.input, chars);
  const expected = shown(one.expected, chars);
  return {
    suite: id,
    level: level.name,
    skillId,
    id: one.id,
    digest: one.digest,
    title: one.title,
    input: input.value,
    expected: expected.value,
    tags: one.tags,
    weight: one.weight,
    isShortened: input.isShortened || expected.isShortened,
  };
}

function shown(value: Json, chars: number): { value: Json; isShortened: boolean } {
  const text = JSON.stringify(value);
  if (text.length <= chars) return { value, isShortened: false };
  return { value: shorten(text, chars), isShortened: true };
}
