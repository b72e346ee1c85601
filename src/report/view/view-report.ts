import { subjectName } from "../../contract/cell.ts";
import type { CaseReport, GateReport, SubjectReport } from "../../contract/document.ts";
import type {
  CellColumn,
  CellReader,
  Failures,
  Rendered,
  RenderOptions,
  ReportView,
  SubjectState,
  SubjectView,
} from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import { type CellResult, parseCell } from "../../contract/result.ts";
import type { Block, Fact, Section, Tally } from "../../contract/view.ts";
import { groupedBy } from "../../shared/text/sort-and-group.ts";
import { commonColumns } from "./common-columns.ts";
import { explainCell } from "./explain-cell.ts";
import { findFailures } from "./failed-cases.ts";
import { metricLabel, shownName } from "./gate-words.ts";
import { judgeSections, withTrustedJudges } from "./judges.ts";
import { metricFact, withInvalidAsFailed, withPasses, withRetries } from "./metric-fact.ts";
import { quarantineLines, quarantineSections, withQuarantine } from "./quarantine-words.ts";
import { runFacts } from "./run-facts.ts";
import { showValue } from "./show-value.ts";
import { describeVerdict, skippedWords, withVacuous } from "./verdict-words.ts";

const defaultOptions: RenderOptions = {
  width: null,
  color: false,
  maxFailures: { cases: 5, subjects: 10 },
  onlySubject: null,
  isVerbose: false,
  csvRows: "cells",
};

/** A report as formats show it. Everything specific to a level comes from its description. */
export function viewReport(
  report: Rendered,
  cells: CellReader,
  levels: readonly Level[],
  options: Partial<RenderOptions> = {},
): ReportView {
  const shown = levels.filter(({ name }) => report.suites.some(({ level }) => level === name));
  const findLevel = (name: string) => levels.find((level) => level.name === name) ?? plainLevel(name);
  const gates = gatesBySubject(report);
  const subjects = viewSubjects(report, findLevel, gates);
  const bySubject = new Map(subjects.map((view) => [subjectKey(view.subject), view]));
  const known = new Map<SubjectView, { maxCases: number; failures: Failures }>();
  const cases = caseFinder(report);
  let sections: Section[] | null = null;
  function* judged(filter: Parameters<CellReader>[0]): Generator<CellResult> {
    for (const cell of results(filter)) if (cell.quarantine === undefined) yield cell;
  }
  function* results(filter?: Parameters<CellReader>[0]): Generator<CellResult> {
    for (const text of cells(filter)) yield parseCell(text);
  }
  return {
    report,
    options: { ...defaultOptions, ...options },
    verdict: withQuarantine(
      withTrustedJudges(withVacuous(describeVerdict(report, subjects, levels), report), report),
      report,
      subjects,
    ),
    skipped: skippedWords(report.skipped, levels),
    quarantined: quarantineLines(report),
    subjects,
    facts: runFacts(report, shown),
    columns: cellColumns(shown),
    cells,
    results,
    subjectOf: (cell) => bySubject.get(subjectKey(cell)),
    sections() {
      sections ??= [
        ...shown.flatMap(({ view }) => view?.sections?.(report, cells) ?? []),
        ...judgeSections(report),
        ...quarantineSections(subjects, cells, (cell) => bySubject.get(subjectKey(cell))?.name ?? ""),
      ];
      return sections;
    },
    subjectBlocks: ({ subject, level }) => [
      ...(level.view?.subjectBlocks?.(subject, report) ?? []),
      ...gateTable(gates.get(subjectKey(subject)) ?? [], level),
    ],
    failures(view, maxCases) {
      const found = known.get(view);
      if (found !== undefined && (found.maxCases >= maxCases || found.failures.more === 0))
        return firstCases(found.failures, maxCases);
      const { level, suite } = view.subject;
      const read = () => judged({ level, suite, subject: subjectName(view.subject) });
      const failures = findFailures(view, read, cases, maxCases);
      known.set(view, { maxCases, failures });
      return failures;
    },
    findings: (cell) => findLevel(cell.level).view?.findings?.(cell) ?? [],
    explain: (cell, one) => explainCell(cell, one, findLevel(cell.level)),
  };
}

/** The same, with fewer cases. */
function firstCases(failures: Failures, maxCases: number): Failures {
  const { cases, more } = failures;
  if (cases.length <= maxCases) return failures;
  return { ...failures, cases: cases.slice(0, maxCases), more: more + cases.length - maxCases };
}

/** Identifies a subject within a report. */
export function subjectKey({ level, suite, skillId, model, arm }: Identified): string {
  return JSON.stringify([level, suite, skillId, model, arm]);
}
type Identified = Pick<SubjectReport, "level" | "suite" | "skillId" | "model" | "arm">;

function cellColumns(levels: readonly Level[]): CellColumn[] {
  const own = levels.flatMap(({ name, view }) =>
    (view?.columns ?? []).map((column) => ({ ...column, level: name })),
  );
  return [...commonColumns, ...own];
}

function viewSubjects(
  report: Rendered,
  findLevel: (name: string) => Level,
  gates: GatesBySubject,
): SubjectView[] {
  const hasSuites = report.suites.length > 1;
  const hasOwners = report.subjects.some(({ owner }) => owner !== undefined);
  const views = report.subjects.map((subject): SubjectView => {
    const level = findLevel(subject.level);
    const facts = level.view?.headline?.(subject) ?? headlineFacts(subject, level);
    const tally = level.view?.tally?.(subject) ?? countSubject(subject);
    const shortName = shownName(subject, level);
    return {
      subject,
      level,
      name: hasSuites ? `${shortName} on ${subject.suite}` : shortName,
      shortName,
      state: subjectState(subject, level, tally, gates),
      tally,
      facts: [
        ...withInvalidAsFailed(withRetries(withPasses(facts, level), subject, level), subject, level),
        ...(hasOwners ? [{ label: "Owner", value: subject.owner ?? null }] : []),
      ],
    };
  });
  return views.toSorted((a, b) => order[a.state] - order[b.state] || failedShare(b) - failedShare(a));
}

const order: Record<SubjectState, number> = { failed: 0, unknown: 1, passed: 2, reference: 3 };

function failedShare({ tally: { passed, failed }, state }: SubjectView): number {
  return state === "failed" && passed + failed > 0 ? failed / (passed + failed) : 0;
}

function countSubject({ counts }: SubjectReport): Tally {
  return { passed: counts.pass, failed: counts.total - counts.pass, unknown: counts.invalid };
}

function subjectState(
  subject: SubjectReport,
  level: Level,
  tally: Tally,
  gates: GatesBySubject,
): SubjectState {
  const own = gates.get(subjectKey(subject)) ?? [];
  if (level.view?.isReference?.(subject) === true) return "reference";
  if (tally.failed > 0 || own.some(({ passed }) => passed === false)) return "failed";
  const isUnknown = tally.unknown > 0 || tally.passed === 0 || own.some(({ passed }) => passed === null);
  return isUnknown ? "unknown" : "passed";
}

/** The enforced gates on the figures of subjects. */
function gatesBySubject({ gates }: Rendered): GatesBySubject {
  return groupedBy(
    gates.filter(({ enforced }) => enforced),
    ({ level, subject }) => (subject === null ? "" : subjectKey({ level, ...subject })),
  );
}
type GatesBySubject = ReadonlyMap<string, readonly GateReport[]>;

function gateTable(gates: readonly GateReport[], level: Level): Block[] {
  if (gates.length === 0) return [];
  return [
    {
      kind: "table",
      title: "Gates",
      columns: [{ label: "Figure" }, { label: "Threshold" }, { label: "Value" }, { label: "Result" }],
      rows: gates.map(({ metric, on, op, threshold, value, passed }) => {
        const unit = level.metrics.find(({ name }) => name === metric)?.unit ?? "score";
        const label = metricLabel(metric, level);
        return [
          on === "point" ? label : `${label} (${on} bound)`,
          `${op === ">=" ? "≥" : "≤"} ${showValue(threshold, unit)}`,
          showValue(value, unit),
          passed === null ? "unknown" : passed ? "passed" : "failed",
        ];
      }),
    },
  ];
}

/** The headline figures of a subject, where its level names no others. */
function headlineFacts(subject: SubjectReport, level: Level): Fact[] {
  return level.metrics
    .filter(({ isMain, isCompared }) => isMain === true || isCompared === true)
    .map(({ name, unit }) => metricFact(subject, name, metricLabel(name, level), unit));
}

/** A level unknown to us: only what every level has is shown. */
function plainLevel(name: string): Level {
  return {
    name,
    nouns: { case: ["case", "cases"], subject: "subject" },
    details: null as never,
    metrics: [{ name: "completionRate", unit: "share", better: "up", isMain: true, label: "completion" }],
  };
}

const heldCases = 5000;

/** Finds cases. A few are kept in memory; of many, the requested ones are found in one scan. */
function caseFinder(report: Rendered): (cells: readonly CellResult[]) => Map<CellResult, CaseReport> {
  const count = report.suites.reduce((sum, { cases }) => sum + cases, 0);
  let held: Map<string, CaseReport> | null = null;
  const caseKey = (one: { level: string; suite: string; skillId: string | null; id: string }) =>
    JSON.stringify([one.level, one.suite, one.skillId, one.id]);
  return (cells) => {
    const wanted = new Map<string, CellResult[]>();
    const want = (key: string, cell: CellResult) => wanted.set(key, [...(wanted.get(key) ?? []), cell]);
    for (const cell of cells) {
      const { level, suite, skillId, caseId: id } = cell;
      want(caseKey({ level, suite, skillId, id }), cell);
      // A case that all subjects of a suite share names none of them.
      if (skillId !== null) want(caseKey({ level, suite, skillId: null, id }), cell);
    }
    const found = new Map<CellResult, CaseReport>();
    const add = (key: string, one: CaseReport) => {
      for (const cell of wanted.get(key) ?? []) found.set(cell, one);
    };
    if (count > heldCases) for (const one of report.cases) add(caseKey(one), one);
    else {
      held ??= new Map([...report.cases].map((one) => [caseKey(one), one]));
      for (const key of wanted.keys()) {
        const one = held.get(key);
        if (one !== undefined) add(key, one);
      }
    }
    return found;
  };
}
