import pc from "picocolors";
import type { CaseReport } from "../../contract/document.ts";
import type { Format, ReportView } from "../../contract/format.ts";
import type { CellResult } from "../../contract/result.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { listed } from "../../shared/text/phrases.ts";
import { inertJson } from "../../shared/text/visible-text.ts";
import { UserError } from "../../shared/user-error.ts";
import { statusWords } from "../view/cell-words.ts";
import { blockLines } from "../view/text-blocks.ts";
import { oneLine, wrapText } from "../view/wrap-words.ts";
import { terminalFormat } from "./terminal.ts";

const defaultWidth = 100;
const maxWidth = 120;

/** One case of a report, by its id or `suite/id`, with everything that is known of each of its cells, passed or not. */
export function showCaseFormat(name: string, isJson: boolean): Format {
  return {
    ...terminalFormat,
    *render(view) {
      const cells = cellsOf(view, name);
      if (isJson) yield `${inertJson({ schemaVersion: 1, command: "report show", cells })}\n`;
      else for (const [at, cell] of cells.entries()) yield* cellText(cell, at > 0, view);
    },
  };
}

function cellsOf(view: ReportView, name: string): CellResult[] {
  const found: CellResult[] = [];
  const ids = new Set<string>();
  for (const cell of view.results()) {
    const { suite, caseId } = cell;
    if (caseId === name || `${suite}/${caseId}` === name) found.push(cell);
    else if (found.length === 0) ids.add(caseId);
  }
  if (found.length > 0) return found;
  const near = nearest(name, [...ids]);
  throw new UserError("usage", `the report has no case ${JSON.stringify(name)}`, {
    hint: near === null ? `it has ${listed([...ids], 10)}` : `did you mean ${near}?`,
  });
}

const marks = { pass: "✓", fail: "✗", error: "✗", timeout: "✗", invalid: "·" } as const;

function* cellText(cell: CellResult, hasBefore: boolean, view: ReportView): Generator<string> {
  const { color, width } = view.options;
  const paint = pc.createColors(color);
  const terms = { paint, width: Math.max(40, Math.min(width ?? defaultWidth, maxWidth)) - 2 };
  const { status, suite, caseId, trial } = cell;
  const subject = view.subjectOf(cell);
  const one = reportOf(cell, view);
  const tone = status === "pass" ? paint.green : status === "invalid" ? paint.yellow : paint.red;
  const about = [
    ...(subject === undefined ? [] : [subject.shortName]),
    ...((subject?.subject.trials ?? 1) > 1 ? [`trial ${trial}`] : []),
    statusWords(cell),
  ];
  if (hasBefore) yield "\n";
  yield `${tone(marks[status])} ${paint.bold(oneLine(`${suite}/${caseId}`))}  ${oneLine(about.join(" · "))}\n`;
  if (one?.title) for (const line of wrapText(one.title, terms.width)) yield `  ${line}\n`;
  for (const block of view.explain(cell, one)) {
    yield "\n";
    for (const line of blockLines(block, terms)) yield line === "" ? "\n" : `  ${line}\n`;
  }
}

function reportOf({ level, suite, skillId, caseId }: CellResult, view: ReportView): CaseReport | undefined {
  let common: CaseReport | undefined;
  for (const one of view.report.cases) {
    if (one.level !== level || one.suite !== suite || one.id !== caseId) continue;
    if (one.skillId === skillId) return one;
    if (one.skillId === null) common = one;
  }
  return common;
}
