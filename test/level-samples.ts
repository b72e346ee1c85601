import { type PlannedCase, type Subject, subjectName } from "../src/contract/cell.ts";
import type { CellReader, Rendered, RenderOptions, ReportView } from "../src/contract/format.ts";
import type { Level, SuiteRun } from "../src/contract/level.ts";
import type { OwnerEntry, QuarantineEntry } from "../src/contract/quarantine.ts";
import type { Attempt, CellResult, Verdict } from "../src/contract/result.ts";
import { isTooUnknown } from "../src/contract/unknown-share.ts";
import { evaluateGates, exitCodeFor } from "../src/engine/gates.ts";
import { makeDocument } from "../src/engine/make-document.ts";
import { plainRun, plainSuite } from "../src/engine/plain-suite.ts";
import { findOwner, openQuarantine } from "../src/engine/quarantine.ts";
import { openSummary } from "../src/engine/summarize.ts";
import { viewReport } from "../src/report/view/view-report.ts";
import { sampleResult } from "../src/store/samples.ts";
import { type LevelMaterial, type SampleCase, sampleCases, sampleTrials } from "./level-material.ts";
import { levelMaterials } from "./level-materials.ts";
import { cellReader } from "./sample-document.ts";

/** A small report of one level, as a run would have written it. */
export interface LevelSample {
  level: Level;
  report: Rendered;
  /** Suite by suite in plan order; can be read repeatedly. */
  cells: CellReader;
}

type End = Verdict | "retried";
const ends: Record<SampleCase, readonly [End, End]> = {
  passes: ["pass", "pass"],
  fails: ["fail", "fail"],
  flaky: ["pass", "fail"],
  breaks: ["error", "error"],
  stalls: ["timeout", "timeout"],
  undecided: ["invalid", "invalid"],
  retried: ["retried", "pass"],
};

/** The first subject has everything, the second a case that fails, the others pass. */
function defaultEnds(name: SampleCase, subject: number): readonly End[] {
  return subject === 0 || (subject === 1 && name === "fails") ? ends[name] : ends.passes;
}

/** What may differ from the default sample of a level. */
export interface SampleOptions {
  /** How the trials of a case ended, by the index of its subject; none: they were not run. */
  endsOf?(name: SampleCase, subject: number): readonly End[];
  failReason?: string;
  /** The share of cells without a verdict that is accepted. */
  maxInvalid?: number;
  quarantine?: readonly QuarantineEntry[];
  owners?: readonly OwnerEntry[];
}

/** The sample of a level: real figures over cells that ended in every way there is. */
export async function levelSample(level: Level, options: SampleOptions = {}): Promise<LevelSample> {
  const material = levelMaterials.find((one) => one.level === level);
  if (material === undefined) throw new Error(`no sample is made of ${level.name}`);
  const suite = makeSuite(material);
  const cells = [...sampleCells(material, options)];
  const startedAt = "2026-03-01T07:24:10.532Z";
  const quarantine = openQuarantine(options.quarantine ?? [], [suite], startedAt);
  const summary = openSummary([suite], quarantine);
  for (const cell of cells) summary.add(suite, cell);
  const subjects = await summary.subjects(() => options.maxInvalid ?? 1);
  const rule = { level: level.name, metric: material.gated, on: "point", op: ">=", threshold: 0.9 } as const;
  const appliesTo = (subject: Subject) => level.view?.isReference?.(subject) !== true;
  const gates = evaluateGates([{ ...rule, enforced: true, scope: "subject", appliesTo }], {
    subjects,
    overall: summary.overall(),
  });
  const shown = cells.map((cell) => {
    const left = quarantine.find(suite, cell, cell.caseId);
    return left === null ? cell : { ...cell, quarantine: left };
  });
  const report = makeDocument({
    run: {
      id: "20260301T072410Z-k3f9",
      startedAt,
      isResumed: false,
      wasDone: false,
    },
    finishedAt: "2026-03-01T07:24:31.007Z",
    command: `${level.name} eval`,
    concurrency: 4,
    granted: [
      { kind: "env", value: "TEAKEY", subject: "tea", asker: "skill", to: tea, purpose: "sent", by: "flag" },
      { kind: "host", value: tea, subject: "tea", asker: "skill", to: tea, purpose: "sent", by: "flag" },
    ],
    timesRecorded: null,
    machine: null,
    store: "./eval-skills.db",
    version: "1.2.3",
    ready: plainRun({
      suites: () => [suite],
      containment: { ...containment, hint: "bubblewrap not installed; try: apt-get install bubblewrap" },
      models: ["lab/small"],
      conditions: () => ({ deadline: "30000 ms" }),
      settings: () => material.settings ?? {},
      skipped: [
        { level: level.name, suite: suite.id, skillId: "other", caseId: "skipped", reason: "no-block" },
        {
          level: level.name,
          suite: null,
          skillId: "asks",
          caseId: null,
          reason: "not granted: env:KEY@asks",
        },
      ],
    }),
    suites: [suite],
    subjects: subjects.map((subject) => {
      const owner = findOwner(options.owners ?? [], subject);
      return owner === null ? subject : { ...subject, owner };
    }),
    gates,
    quarantine: quarantine.entries,
    judges: summary.judges(new Map()),
    warnings: ["a warning about the run", ...quarantine.warnings, ...summary.warnings()],
    files: ["reports/eval-result.json"],
    exitCode: exitCodeFor({
      gates,
      isUnknown: subjects.some(isTooUnknown),
      isMixed: false,
      isMissing: false,
    }),
  });
  return { level, report: { ...report, cases: [...report.cases] }, cells: cellReader(shown) };
}

const tea = "tea.example:443";

const containment = {
  level: "process" as const,
  backend: "prlimit",
  network: ["localhost:8080"],
  unproven: ["seccomp"],
};

function makeSuite({ level, suite: id, subjects, casesOf, fold }: LevelMaterial): SuiteRun {
  const never = () => Promise.reject(new Error("nothing is run"));
  const [first] = subjects;
  return plainSuite({
    ...{ level, id, subjects, casesOf, trials: sampleTrials, version: "1.1.0", execute: never, score: never },
    cases: first === undefined ? [] : casesOf(first),
    ...(fold !== undefined && { fold: fold() }),
  });
}

function* sampleCells(material: LevelMaterial, options: SampleOptions): Generator<CellResult> {
  const { endsOf = defaultEnds } = options;
  for (const [at, subject] of material.subjects.entries())
    for (const trial of [1, 2])
      for (const [position, one] of material.casesOf(subject).entries()) {
        const end = endsOf(sampleCases[position] ?? "passes", at)[trial - 1];
        if (end !== undefined) yield sampleCell(material, { subject, one, trial, end }, options);
      }
}

interface Planned {
  subject: Subject;
  one: PlannedCase;
  trial: number;
  end: End;
}

function sampleCell(
  { level, suite, own }: LevelMaterial,
  { subject, one, trial, end }: Planned,
  { failReason = "expected 120, got 0\nthe answer is not the factorial of five" }: SampleOptions,
): CellResult {
  const status = end === "retried" ? "pass" : end;
  const { cause, reason } = { ...whys[status], ...(status === "fail" && { reason: failReason }) };
  const { skillId, model, arm } = subject;
  const attempts: Attempt[] = [{ n: 1, status: "answered", code: null, latencyMs: 41.5, message: null }];
  const failed = {
    status: "error",
    code: "crash",
    latencyMs: 12,
    message: "exit code 1\nTraceback",
  } as const;
  return sampleResult({
    ...{ level: level.name, suite, skillId, model, arm, trial, status, cause, reason },
    ...own({ status, reason, trial }, one, subject),
    key: `sha256:${subjectName(subject)}:${one.id}:${trial}`,
    caseId: one.id,
    caseDigest: one.digest,
    latencyMs: 41.5,
    usage: { promptTokens: 200, completionTokens: 10, totalTokens: 210, costUsd: 0.0005 },
    costUsd: 0.0005,
    containment,
    attempts:
      end === "retried" ? [{ n: 1, ...failed }, ...attempts.map((last) => ({ ...last, n: 2 }))] : attempts,
    ...(status === "error" && {
      attempts: [
        { n: 1, ...failed },
        { n: 2, ...failed },
      ],
      stderrTail: "Traceback (most recent call last):\n  File main.py\nValueError: no such shelf",
      stray: ["a line that is no answer"],
      network: [{ host: "example.com", port: 443, allowed: false, reason: "not on the list" }],
      startupMs: 80,
    }),
    ...(status === "fail" && {
      judge: { model: "lab/judge", calls: 2, latencyMs: 300, usage: null },
      warnings: ["the answer has a member that the contract does not name"],
      outputTruncated: true,
      outputBytes: 20_000,
      outputSha256: "5a",
      rawBase64: "AA==",
    }),
  });
}

const whys: Record<Verdict, Pick<CellResult, "cause" | "reason">> = {
  pass: { cause: null, reason: null },
  fail: { cause: null, reason: null },
  error: { cause: "crash", reason: "exit code 1\nValueError: no such shelf" },
  timeout: { cause: "deadline", reason: "no answer within 30000 ms" },
  invalid: { cause: "judge-unavailable", reason: "the judge did not answer: 429" },
};

/** A sample as formats get it. */
export function sampleView(
  { report, cells, level }: LevelSample,
  options: Partial<RenderOptions> = {},
): ReportView {
  return viewReport(report, cells, [level], options);
}
