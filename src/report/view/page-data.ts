import { subjectName } from "../../contract/cell.ts";
import type { CaseReport, GateReport, SubjectReport } from "../../contract/document.ts";
import type { CellColumn, ReportView, SubjectView } from "../../contract/format.ts";
import type { Level } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Block, Fact } from "../../contract/view.ts";
import { inertJson } from "../../shared/text/visible-text.ts";
import { cellReason } from "./cell-words.ts";
import { formatValue } from "./explain-cell.ts";
import { gateSide, gateWords, metricLabel } from "./gate-words.ts";
import type {
  PageBlock,
  PageCase,
  PageCell,
  PageColumn,
  PageData,
  PageFact,
  PageGate,
  PageSkip,
  PageSubject,
  PageSuite,
  PageValue,
} from "./page-document.ts";
import { countCells } from "./quarantine-words.ts";
import { skipReason } from "./verdict-words.ts";

/** Above this many cells, a page shows only the first that did not pass. */
const maxPageCells = 50_000;
const maxFailures = 2_000;
/** How many characters of explanations a page holds; what passed takes half of them at most. */
const maxExplained = 64 * 1024 * 1024;

/** A report as the JSON its page is drawn from, piece by piece: cells are read one at a time. */
export function* pageData(view: ReportView): Generator<string> {
  const total = countCells(view);
  const isWhole = total <= maxPageCells;
  const { cells: _, cases: __, ...head } = pageHead(view, isWhole ? null : total);
  const failures = isWhole ? null : firstFailures(view);
  const cases = holdCases(view, failures);
  yield `${inertJson(head).slice(0, -1)},"cells":[`;
  let before = "\n";
  for (const row of cellRows(view, failures ?? view.results(), cases.find)) {
    yield before + row;
    before = ",\n";
  }
  yield '],"cases":[';
  before = "\n";
  for (const held of cases.held) {
    yield before + inertJson(held.case);
    before = ",\n";
  }
  yield "]}";
}

function pageHead(view: ReportView, cellsInAll: number | null): PageData {
  const { report, verdict, facts } = view;
  const { id, command, startedAt, finishedAt } = report.run;
  const tool = `${report.tool.name} ${report.tool.version}`;
  return {
    verdict,
    run: { id, command, tool, startedAt, finishedAt },
    facts,
    gates: pageGates(view),
    warnings: report.warnings,
    skipped: skipsByReason(view),
    suites: report.suites.map((suite) => pageSuite(suite, view)),
    subjects: view.subjects.map((subject) => pageSubject(subject, view, cellsInAll === null)),
    sections: view.sections(),
    cellsInAll,
    cells: [],
    cases: [],
  };
}

function pageGates(view: ReportView): PageGate[] {
  const levels = listLevels(view);
  const kinds = [true, false].flatMap((enforced) =>
    [false, null, true].map((passed) => ({ enforced, passed })),
  );
  return kinds.flatMap(({ enforced, passed }) => {
    const gates = view.report.gates.filter((gate) => gate.enforced === enforced && gateSide(gate) === passed);
    return gateWords(gates, levels).map((words) => ({ words, passed, enforced }));
  });
}

function listLevels({ subjects }: ReportView): Level[] {
  return [...new Set(subjects.map(({ level }) => level))];
}

function skipsByReason(view: ReportView): PageSkip[] {
  const { skipped, suites } = view.report;
  const hasSuites = suites.length > 1;
  const levels = listLevels(view);
  const names = new Map<string, string[]>();
  for (const { suite, skillId, caseId, level, ...one } of skipped) {
    const reason = skipReason(
      one.reason,
      levels.find(({ name }) => name === level),
    );
    const parts = [hasSuites || caseId !== null ? suite : null, skillId, caseId];
    const name = parts.filter((part) => part !== null).join(" / ");
    names.set(reason, [...(names.get(reason) ?? []), name === "" ? (level ?? reason) : name]);
  }
  return [...names].map(([reason, names]) => ({ reason, names }));
}

function pageSuite({ id, level }: { id: string; level: string }, view: ReportView): PageSuite {
  const known = view.subjects.find(({ subject }) => subject.level === level)?.level;
  return {
    id,
    level,
    caseNouns: known?.nouns.case ?? ["case", "cases"],
    subjectNoun: known?.nouns.subject ?? "subject",
    columns: pageColumns(view, level).map(
      ({ id, label, unit, isFilter, isHidden }): PageColumn => ({
        ...{ id, label },
        ...(unit !== undefined && { unit }),
        ...(isFilter !== undefined && { isFilter }),
        ...(isHidden !== undefined && { isHidden }),
      }),
    ),
  };
}

/** Columns that are shown or filtered by, besides those that every row has. */
function pageColumns({ columns }: ReportView, level: string): CellColumn[] {
  return columns.filter((column) =>
    column.level === null
      ? column.isHidden === true && column.isFilter === true && column.id !== "level"
      : column.level === level && (column.isHidden !== true || column.isFilter === true),
  );
}

function pageSubject(subjectView: SubjectView, view: ReportView, hasVerdicts: boolean): PageSubject {
  const { subject, level, name, shortName, state, tally } = subjectView;
  const suite = view.report.suites.findIndex(
    ({ id, level }) => id === subject.suite && level === subject.level,
  );
  const gates = view.report.gates.filter((gate) => isOn(gate, subject));
  return {
    ...{ suite, name, shortName, state, tally },
    ...{ counts: subject.counts, trials: subject.trials },
    facts: subjectView.facts.map((fact) => withLimit(fact, level, gates)),
    blocks: view.subjectBlocks(subjectView),
    verdicts: hasVerdicts ? [...(level.view?.caseVerdicts?.(subject) ?? [])] : [],
  };
}

/** A gate is on a figure, and a fact shows it under the same name. */
function withLimit(fact: Fact, level: Level, gates: readonly GateReport[]): PageFact {
  const label = fact.label.toLowerCase();
  const gate = gates.find(({ metric }) => metricLabel(metric, level).toLowerCase() === label);
  if (gate === undefined) return fact;
  return { ...fact, limit: { threshold: gate.threshold, passed: gate.passed } };
}

function isOn(gate: GateReport, subject: SubjectReport): boolean {
  if (!gate.enforced || gate.subject === null || gate.level !== subject.level) return false;
  return gate.subject.suite === subject.suite && subjectName(gate.subject) === subjectName(subject);
}

/** The cells that did not pass of a run that is too large for a page, evenly from all subjects. */
function firstFailures(view: ReportView): CellResult[] {
  const failed = view.subjects.filter(({ state }) => state === "failed" || state === "unknown");
  const share = Math.max(1, Math.floor(maxFailures / Math.max(1, failed.length)));
  const counts = new Map<SubjectView, number>();
  const found: CellResult[] = [];
  for (const cell of view.results()) {
    if (cell.status === "pass") continue;
    const subject = view.subjectOf(cell);
    if (subject === undefined) continue;
    const count = (counts.get(subject) ?? 0) + 1;
    counts.set(subject, count);
    if (count <= share && found.push(cell) === maxFailures) break;
  }
  return found;
}

interface HeldCase {
  index: number;
  case: PageCase;
  report: CaseReport | undefined;
}

/** The cases of a page. Those that cells name and the report does not are added as far as they are known. */
function holdCases(view: ReportView, cells: readonly CellResult[] | null) {
  const { suites } = view.report;
  const levels = new Map(listLevels(view).map((level) => [level.name, level]));
  const held: HeldCase[] = [];
  const byKey = new Map<string, HeldCase>();

  function add(key: string, named: Named, report: CaseReport | undefined): HeldCase {
    const title = report && levels.get(named.level)?.caseTitle?.(report);
    const one: PageCase = {
      suite: suites.findIndex(({ id, level }) => id === named.suite && level === named.level),
      id: named.id,
      name: title ?? named.id,
      title: report?.title ?? null,
      tags: report?.tags ?? [],
      input: report === undefined ? null : formatValue(report.input),
      expected: report?.expected ?? null,
      isShortened: report?.isShortened ?? false,
      isOwn: report !== undefined && report.skillId !== null,
    };
    const added = { index: held.length, case: one, report };
    held.push(added);
    byKey.set(key, added);
    return added;
  }

  const wanted = cells === null ? null : new Set(cells.flatMap(caseKeys));
  for (const one of view.report.cases) {
    const key = caseKey(one.level, one.suite, one.skillId, one.id);
    if (wanted === null || wanted.has(key)) add(key, one, one);
  }
  return {
    held,
    find(cell: CellResult): HeldCase {
      const [own, common] = caseKeys(cell);
      const known = byKey.get(own) ?? byKey.get(common);
      return known ?? add(own, { level: cell.level, suite: cell.suite, id: cell.caseId }, undefined);
    },
  };
}

type Named = Pick<CaseReport, "level" | "suite" | "id">;

function caseKey(level: string, suite: string, skillId: string | null, id: string): string {
  return JSON.stringify([level, suite, skillId, id]);
}

/** A case belongs to the skill of its cell, or to all subjects of the suite. */
function caseKeys({ level, suite, skillId, caseId }: CellResult): [own: string, common: string] {
  return [caseKey(level, suite, skillId, caseId), caseKey(level, suite, null, caseId)];
}

function* cellRows(
  view: ReportView,
  cells: Iterable<CellResult>,
  findCase: (cell: CellResult) => HeldCase,
): Generator<string> {
  const subjects = new Map(view.subjects.map((subject, index) => [subject, index]));
  const columns = new Map(view.report.suites.map(({ level }) => [level, pageColumns(view, level)]));
  let explained = 0;
  for (const cell of cells) {
    const subject = view.subjectOf(cell);
    const at = subject === undefined ? undefined : subjects.get(subject);
    if (at === undefined) continue;
    const one = findCase(cell);
    const reason = cellReason(cell);
    const values = (columns.get(cell.level) ?? []).map((column) => columnValue(column, cell));
    const fits = explained < (cell.status === "pass" ? maxExplained / 2 : maxExplained);
    const blocks = fits ? view.explain(cell, one.report).map((block) => shared(block, reason, one)) : null;
    const row: PageCell = [
      at,
      one.index,
      cell.trial,
      cell.status,
      cell.attempts.length,
      cell.score,
      cell.latencyMs,
      cell.costUsd,
      shortKey(cell.key),
      reason,
      values,
      blocks,
    ];
    const text = inertJson(row);
    explained += text.length;
    yield text;
  }
}

/** A prefix of a hash that is unique among fifty thousand; other keys in full. */
function shortKey(key: string): string {
  return /^sha256:[0-9a-f]{64}$/.test(key) ? key.slice(7, 19) : key;
}

function columnValue(column: CellColumn, cell: CellResult): PageValue {
  const value = column.value(cell);
  const tone = column.tone?.(value);
  return tone === undefined ? value : [value, tone];
}

/** A block without what the row or the case already shows. */
function shared(block: Block, reason: string, one: HeldCase): PageBlock {
  const title = block.title === undefined ? {} : { title: block.title };
  if (block.kind === "text" && block.text === reason)
    return { kind: "reason", ...title, ...(block.tone !== undefined && { tone: block.tone }) };
  if (one.report === undefined) return block;
  if (block.kind === "code" && block.language === undefined && block.code === one.case.input)
    return { kind: "input", ...title };
  if (block.kind === "diff" && block.expected === one.report.expected)
    return { kind: "caseDiff", ...title, actual: block.actual };
  return block;
}
