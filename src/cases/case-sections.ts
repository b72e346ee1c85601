import { subjectName } from "../contract/cell.ts";
import type { SubjectReport } from "../contract/document.ts";
import type { CellReader, Rendered } from "../contract/format.ts";
import { type CellResult, parseCell } from "../contract/result.ts";
import type { Block, Section, Tone } from "../contract/view.ts";
import { signedPoints } from "../report/text/format-numbers.ts";
import { intervalLabel } from "../report/view/interval-words.ts";
import { listed } from "../shared/text/phrases.ts";
import { type CaseRow, knownDetails, readRows, shareWords } from "./case-view.ts";
import {
  applicableScores,
  type DimensionName,
  type DimensionStatus,
  dimensionEnds,
} from "./view/case-words.ts";

/** What can only be computed over all cells and models of a level. */
export function caseSections(level: string, report: Rendered, cells: CellReader): Section[] {
  const subjects = report.subjects.filter((subject) => subject.level === level && subject.arm !== "absent");
  const hasLevels = new Set(report.suites.map((suite) => suite.level)).size > 1;
  const seen = lookAtCells(level, cells);
  const sections = [
    portability(subjects),
    uplift(subjects, report),
    tolerated(subjects, report),
    dimensionTable(seen.dimensions),
    neverExercised(seen.idle),
  ];
  return sections.flatMap((section) =>
    section === null ? [] : [hasLevels ? { ...section, title: `${section.title} (${level})` } : section],
  );
}

interface SeenCells {
  dimensions: ReadonlyMap<DimensionName, Record<DimensionStatus, number>>;
  /** Checks that no trial of a case put to the test, with those cases. */
  idle: ReadonlyMap<string, readonly string[]>;
}

/** Looks at every cell with skills once, keeping only counts and names. */
function lookAtCells(level: string, cells: CellReader): SeenCells {
  const dimensions = new Map<DimensionName, Record<DimensionStatus, number>>();
  const idle = idleChecks();
  for (const text of cells({ level })) {
    const cell = parseCell(text);
    if (cell.arm === "absent") continue;
    for (const { name, score } of applicableScores(knownDetails(cell))) {
      const counts = dimensions.get(name) ?? { pass: 0, fail: 0, not_observed: 0, not_applicable: 0 };
      dimensions.set(name, counts);
      counts[score.status]++;
    }
    if (cell.status === "pass" || cell.status === "fail") idle.add(cell);
  }
  return { dimensions, idle: idle.found() };
}

/** A check that one trial of a case put to the test was exercised, whatever the other trials did. */
function idleChecks() {
  const cases = new Map<string, { trials: number; unused: Map<string, number> }>();
  return {
    add(cell: CellResult): void {
      const name = caseName(cell.suite, cell.caseId);
      const seen = cases.get(name) ?? { trials: 0, unused: new Map<string, number>() };
      cases.set(name, seen);
      seen.trials++;
      for (const check of new Set(knownDetails(cell).notExercised))
        seen.unused.set(check, (seen.unused.get(check) ?? 0) + 1);
    },
    found(): Map<string, string[]> {
      const found = new Map<string, string[]>();
      for (const [name, { trials, unused }] of cases)
        for (const [check, count] of unused)
          if (count === trials) found.set(check, [...(found.get(check) ?? []), name]);
      return found;
    },
  };
}

function caseName(suite: string, caseId: string): string {
  return `${suite}/${caseId}`;
}

/** Which model passes which case, where several models were run on the same ones. */
function portability(subjects: readonly SubjectReport[]): Section | null {
  const columns = [...new Set(subjects.map(subjectName))];
  const rows = new Map<string, Map<string, CaseRow>>();
  for (const subject of subjects)
    for (const row of readRows(subject)) {
      const name = caseName(subject.suite, row.caseId);
      const known = rows.get(name) ?? new Map<string, CaseRow>();
      rows.set(name, known.set(subjectName(subject), row));
    }
  const shared = [...rows].filter(([, known]) => known.size > 1);
  const models = columns.filter((model) => shared.some(([, known]) => known.has(model)));
  if (models.length < 2) return null;
  return {
    title: "Cases by model",
    note: "How many trials of a case passed with each model.",
    blocks: [
      {
        kind: "matrix",
        rows: shared.map(([name]) => name),
        columns: models,
        cells: shared.map(([, known]) => models.map((model) => rowCell(known.get(model)))),
      },
    ],
  };
}

function rowCell(row: CaseRow | undefined): { value: string | null; tone?: Tone } {
  if (row === undefined) return { value: null };
  const { pass, passed, verdicts } = row;
  const status = pass === null ? "not_observed" : pass ? "pass" : "fail";
  const { sign, tone } = dimensionEnds[status];
  return { value: verdicts > 1 ? `${sign} ${passed}/${verdicts}` : sign, tone };
}

/** What models do with skills and without, case by case. */
function uplift(subjects: readonly SubjectReport[], report: Rendered): Section | null {
  const pairs = subjects.flatMap((subject) => {
    const { level, suite, model } = subject;
    const alone = report.subjects.find(
      (one) => one.level === level && one.suite === suite && one.model === model && one.arm === "absent",
    );
    return alone === undefined ? [] : [{ subject, alone }];
  });
  if (pairs.length === 0) return null;
  const several = pairs.length > 1;
  return {
    title: "With and without skills",
    note: "The same cases with an empty skill index; the difference is what the skills contribute.",
    blocks: [
      {
        kind: "table",
        columns: [
          { label: "Model" },
          ...(several ? [{ label: "Suite" }] : []),
          { label: "With skills", unit: "share" },
          { label: "Without", unit: "share" },
          { label: "Difference" },
          { label: "Cases", unit: "count" },
        ],
        rows: pairs.map(({ subject, alone }) => {
          const { withSkills, noSkills, difference, interval, cases } = compareBaseline(subject, alone);
          const label = intervalLabel({ estimates: "cases-like-these", cases, trials: cases });
          const bounds =
            interval === null
              ? ""
              : ` [${signedPoints(interval.lower)} to ${signedPoints(interval.upper)}] ${label}`;
          return [
            subjectName(subject),
            ...(several ? [subject.suite] : []),
            withSkills,
            noSkills,
            difference === null ? null : `${signedPoints(difference)}${bounds}`,
            cases,
          ];
        }),
      },
      ...pairs.map(({ subject, alone }) => pairedCases(subject, alone, several)),
    ],
  };
}

interface Baseline {
  withSkills: number | null;
  noSkills: number | null;
  difference: number | null;
  interval: { lower: number; upper: number } | null;
  cases: number;
}

function compareBaseline(subject: SubjectReport, alone: SubjectReport): Baseline {
  const stored = subject.details.baseline as unknown as Baseline | null | undefined;
  if (stored != null) return stored;
  const [withSkills, noSkills] = [subject, alone].map(({ metrics }) => metrics.passRate?.value ?? null);
  const [first = null, second = null] = [withSkills, noSkills];
  return {
    withSkills: first,
    noSkills: second,
    difference: null,
    interval: null,
    cases: readRows(alone).length,
  };
}

function pairedCases(subject: SubjectReport, alone: SubjectReport, several: boolean): Block {
  const without = new Map(readRows(alone).map((row) => [row.caseId, row]));
  const title = several ? `${subjectName(subject)} on ${subject.suite}` : undefined;
  return {
    kind: "table",
    ...(title !== undefined && { title }),
    columns: [{ label: "Case" }, { label: "With skills" }, { label: "Without" }],
    rows: readRows(subject).flatMap((row) => {
      const other = without.get(row.caseId);
      return other === undefined ? [] : [[row.caseId, trialsWords(row), trialsWords(other)]];
    }),
  };
}

function trialsWords({ passed, verdicts }: CaseRow): string {
  return verdicts === 0 ? "no verdict" : `${passed} of ${verdicts}`;
}

/** Cases that passed although trials of them failed: nobody should wonder about the exit code. */
function tolerated(subjects: readonly SubjectReport[], report: Rendered): Section | null {
  const several = report.suites.length > 1;
  const rows = subjects.flatMap((subject) =>
    readRows(subject)
      .filter(({ pass, passed, verdicts }) => pass === true && passed < verdicts)
      .map((row) => [
        several ? caseName(subject.suite, row.caseId) : row.caseId,
        subjectName(subject),
        trialsWords(row),
        shareWords(row.minPassRate),
      ]),
  );
  if (rows.length === 0) return null;
  return {
    title: "Passed despite failed trials",
    note: "The min_pass_rate of these cases allows it.",
    blocks: [
      {
        kind: "table",
        columns: [{ label: "Case" }, { label: "Model" }, { label: "Trials passed" }, { label: "Required" }],
        rows,
      },
    ],
  };
}

function dimensionTable(dimensions: SeenCells["dimensions"]): Section | null {
  if (dimensions.size === 0) return null;
  return {
    title: "Dimensions",
    note: "How often each dimension passed, over all cells it applies to.",
    blocks: [
      {
        kind: "table",
        columns: [
          { label: "Dimension" },
          { label: "Passed", unit: "count" },
          { label: "Failed", unit: "count" },
          { label: "Not observed", unit: "count" },
        ],
        rows: [...dimensions].map(([name, { pass, fail, not_observed }]) => [name, pass, fail, not_observed]),
      },
    ],
  };
}

const namedCases = 5;

function neverExercised(idle: SeenCells["idle"]): Section | null {
  if (idle.size === 0) return null;
  return {
    title: "Checks never exercised",
    note: "Nothing in these runs could have failed them, so that they passed says nothing.",
    blocks: [
      {
        kind: "table",
        columns: [{ label: "Check" }, { label: "Cases" }],
        rows: [...idle].map(([check, cases]) => [check, listed(cases, namedCases)]),
      },
    ],
  };
}
