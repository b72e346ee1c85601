import type {
  CaseReport,
  MetricReport,
  ReportFile,
  RunReport,
  SubjectReport,
} from "../src/contract/document.ts";
import type { CellResult, Verdict } from "../src/contract/result.ts";
import { type QueryLine, type SkipReason, triggeringSuite } from "../src/contract/trigger-report.ts";
import { roundResult } from "../src/levels/trigger/fold.ts";
import { queryFold, type TriggerFigures } from "../src/levels/trigger/verdict/fold-queries.ts";
import { querySummary } from "../src/levels/trigger/verdict/query-line.ts";
import { baselines } from "../src/levels/trigger/verdict/trigger-metrics.ts";
import { canonicalJson, sha256 } from "../src/shared/json/canonical-json.ts";
import type { Json } from "../src/shared/json/json.ts";
import { sampleResult, sampleSubject } from "../src/store/samples.ts";
import { routerJudge } from "./sample-query.ts";

/** What a report file is made of; lists of several parts are joined. */
export interface ReportParts extends Partial<Omit<ReportFile, "run" | "schemaVersion">> {
  run?: Partial<RunReport>;
}

/** A report file for tests, over what these parts hold; with defaults for the rest, and the suites of the subjects. */
export function reportFile(...parts: readonly ReportParts[]): ReportFile {
  const joined = <Name extends "subjects" | "cells" | "cases" | "gates" | "skipped">(name: Name) =>
    parts.flatMap((part) => (part[name] ?? []) as ReportFile[Name][number][]) as ReportFile[Name];
  const subjects = joined("subjects");
  // Skills that share a suite share its cases.
  const named = joined("cases").map((one) => [
    JSON.stringify([one.level, one.suite, one.skillId, one.id]),
    one,
  ]);
  const cases: CaseReport[] = [...new Map(named as [string, CaseReport][]).values()];
  const sum = (count: (subject: SubjectReport) => number) =>
    subjects.reduce((all, subject) => all + count(subject), 0);
  const { run: _, ...given } = Object.assign({}, ...parts) as ReportParts;
  return {
    schemaVersion: 2,
    tool: { name: "eval-skills", version: "1.0.0" },
    suites: makeSuites(subjects, cases),
    judges: [],
    notLoaded: [],
    passed: sum(({ counts }) => counts.pass),
    total: sum(({ counts }) => counts.total),
    warnings: [],
    files: ["reports/eval-result.json"],
    exitCode: 0,
    ...given,
    run: makeRun(parts),
    subjects,
    cases,
    cells: joined("cells").map((cell, at) => ({ ...cell, key: `sha256:${at}` })),
    gates: joined("gates"),
    skipped: joined("skipped"),
  };
}

function makeRun(parts: readonly ReportParts[]): RunReport {
  const given: Partial<RunReport> = Object.assign({}, ...parts.map(({ run }) => run));
  return {
    id: "20260301T072410Z-k3f9",
    command: "eval",
    startedAt: "2026-03-01T07:24:10.532Z",
    finishedAt: "2026-03-01T07:24:31.007Z",
    trials: 1,
    concurrency: 4,
    seed: 0,
    planDigest: "sha256:plan",
    containment: { level: "process", backend: null, network: "open", unproven: [] },
    store: "./eval-skills.db",
    models: [],
    agents: [],
    grants: [],
    vacuousExpectations: [],
    timesRecorded: null,
    machine: null,
    git: null,
    shard: null,
    ...given,
    conditions: Object.assign({}, ...parts.map(({ run }) => run?.conditions)),
    settings: Object.assign({}, ...parts.map(({ run }) => run?.settings)),
  };
}

function makeSuites(subjects: readonly SubjectReport[], cases: readonly CaseReport[]): ReportFile["suites"] {
  const found = new Map(
    subjects.map(({ level, suite }) => [JSON.stringify([level, suite]), { level, suite }]),
  );
  return [...found.values()].map(({ level, suite }) => ({
    id: suite,
    level,
    version: level === "unit" ? "1.1.0" : "",
    digest: `sha256:${suite}`,
    cases: cases.filter((one) => one.suite === suite && one.level === level).length,
  }));
}

function countStatuses(statuses: readonly Verdict[]): SubjectReport["counts"] {
  const count = (status: Verdict) => statuses.filter((one) => one === status).length;
  const invalid = count("invalid");
  return {
    total: statuses.length - invalid,
    pass: count("pass"),
    fail: count("fail"),
    error: count("error"),
    timeout: count("timeout"),
    invalid,
  };
}

function metric(value: number | null, better: MetricReport["better"] = "up"): MetricReport {
  return { value, interval: null, n: null, better };
}

function makeCase(
  given: Pick<CaseReport, "suite" | "level" | "id" | "digest"> & Partial<CaseReport>,
): CaseReport {
  return {
    skillId: null,
    title: null,
    input: null,
    expected: null,
    tags: [],
    weight: 1,
    isShortened: false,
    ...given,
  };
}

const letters: Readonly<Record<string, Verdict>> = {
  p: "pass",
  f: "fail",
  e: "error",
  t: "timeout",
  i: "invalid",
};

export interface SampleSkill {
  skillId?: string;
  suite?: string;
  /** Tasks by id, a letter per trial: `ppf`, or `i` without a verdict. */
  tasks?: Readonly<Record<string, string>>;
  completionRate?: number | null;
  compositeScore?: number | null;
  skillDigest?: string;
}

/** A skill on a suite of tasks. */
export function skillParts({
  skillId = "my_calc",
  suite = "coding-easy",
  tasks = {},
  completionRate = 0.95,
  compositeScore = 0.9673,
  skillDigest = "sha256:5f1e",
}: SampleSkill = {}): ReportParts {
  const level = "unit";
  const cells = Object.entries(tasks).flatMap(([caseId, word]) =>
    [...word].map((letter, at) => {
      const status = letters[letter] ?? "pass";
      return sampleResult({
        level,
        suite,
        skillId,
        caseId,
        caseDigest: `sha256:${caseId}`,
        trial: at + 1,
        status,
        reason: status === "fail" ? "expected 1, got 2" : null,
        details: { scorerType: "exact_match", weight: 1, tags: [] },
      });
    }),
  );
  return {
    run: {
      trials: Math.max(1, ...Object.values(tasks).map((word) => word.length)),
      conditions: { deadline: "30000 ms" },
      settings: { retries: 2, timeoutMs: 30_000, evaluator: "exact_match" },
    },
    subjects: [
      sampleSubject({
        level,
        suite,
        skillId,
        skillDigest,
        trials: Math.max(1, ...cells.map(({ trial }) => trial)),
        counts: countStatuses(cells.map(({ status }) => status)),
        metrics: {
          completionRate: metric(completionRate),
          errorRate: metric(0.0167, "down"),
          latencyP95Ms: metric(412, "down"),
          compositeScore: metric(compositeScore),
        },
      }),
    ],
    cases: Object.keys(tasks).map((id) => makeCase({ suite, level, id, digest: `sha256:${id}` })),
    cells,
  };
}

/** The trigger tests of the skills that these queries belong to; their figures are made of them as in a run. */
export function queryParts(lines: readonly QueryLine[]): ReportParts {
  const level = "trigger";
  const suite = triggeringSuite;
  const tested = [...new Set(lines.map(({ skillId }) => skillId))].map((id) =>
    triggerFigures(
      id,
      lines.filter(({ skillId }) => skillId === id),
    ),
  );
  return {
    run: {
      conditions: Object.fromEntries(tested.map((one) => [`judge of ${one.skillId}`, judgeWords(one)])),
      settings: {
        triggering: {
          repeats: Math.max(1, ...tested.map(({ repeats }) => repeats)),
          threshold: 0.5,
          skipped: [],
        },
      },
    },
    subjects: tested.map((figures) =>
      querySubject(
        figures,
        lines.filter(({ skillId }) => skillId === figures.skillId),
      ),
    ),
    cases: lines.map((line) =>
      makeCase({
        ...{ suite, level, skillId: line.skillId, id: line.queryId, digest: queryDigest(line) },
        ...{ input: line.query, expected: { side: line.side, belongsTo: line.belongsTo }, tags: line.tags },
      }),
    ),
    cells: lines.flatMap(queryCells),
  };
}

/** A skill whose trigger tests were left out. */
export function skippedQueries(skillId: string, reason: SkipReason = "no-block"): ReportParts {
  const skipped = [
    { skillId, skillDigest: "sha256:5f1e", judge: routerJudge as unknown as Json, threshold: 0.5 },
  ];
  return {
    run: { settings: { triggering: { repeats: 1, threshold: 0.5, skipped } } },
    skipped: [{ level: "trigger", suite: triggeringSuite, skillId, caseId: null, reason }],
  };
}

function triggerFigures(skillId: string, lines: readonly QueryLine[]): TriggerFigures {
  const [first] = lines;
  if (first === undefined) throw new Error(`${skillId} has no queries`);
  const { skillDigest, judge, repeats } = first;
  const fold = queryFold({ skillId, skillDigest, judge, repeats, threshold: 0.5 });
  for (const line of lines) fold.add(line);
  const sides = lines.map(({ side }) => side);
  return fold.figures({ baselines: baselines(sides, null), agreement: null });
}

function judgeWords({ judge, repeats, threshold }: TriggerFigures): string {
  const { kind, label = kind, model, prompt } = judge;
  return `${[label, model, prompt].filter((part) => part !== null).join(" ")}, repeats ${repeats}, threshold ${threshold}`;
}

function queryDigest({ query, side }: QueryLine): string {
  return sha256(canonicalJson({ text: query, side }));
}

function querySubject(figures: TriggerFigures, lines: readonly QueryLine[]): SubjectReport {
  const { skillId, skillDigest, ...own } = roundResult(figures);
  const { passed, failed, inconclusive, metrics, latency, judge } = figures;
  const all = passed + failed + inconclusive;
  const details = {
    ...own,
    gate: {},
    cardSha256: lines[0]?.cardSha256 ?? "",
    catalogSha256: lines[0]?.catalogSha256 ?? "",
    queries: lines.map(querySummary),
    isScripted: judge.kind === "router",
  };
  return {
    ...{ skillId, skillDigest, skillVersion: "1.0.0", suite: triggeringSuite, level: "trigger" },
    ...{ model: judge.model, arm: null, trials: figures.repeats, byTag: {} },
    counts: countStatuses(lines.flatMap(queryCells).map(({ status }) => status)),
    metrics: {
      passRate: metric(all === 0 ? null : passed / all),
      recall: metric(metrics.query.recall),
      precision: metric(metrics.query.precision),
      mcc: metric(metrics.query.mcc),
      latencyP95Ms: metric(latency.p95Ms, "down"),
    },
    details: details as unknown as Record<string, Json>,
  };
}

function queryCells(line: QueryLine): CellResult[] {
  const { skillId, side, judge } = line;
  return line.judgments.map((judgment) => {
    const { outcome } = judgment;
    const isRight = (outcome === "yes") === (side === "should_match");
    const cause = outcome === "invalid" ? "no-verdict" : outcome === "error" ? "judge-error" : null;
    const choice = "chosen" in judgment && judgment.chosen !== undefined ? { chosen: judgment.chosen } : {};
    return sampleResult({
      ...{ level: "trigger", suite: triggeringSuite, skillId, model: judge.model },
      ...{ caseId: line.queryId, caseDigest: queryDigest(line), trial: judgment.repeat + 1 },
      ...{ status: cause !== null ? "invalid" : isRight ? "pass" : "fail", cause },
      output: judgment as unknown as Json,
      details: { side, outcome, ...choice },
    });
  });
}
