import { shellWord } from "../../base/shell-word.ts";
import { shownText, visibleText } from "../../base/visible-text.ts";
import type { AgentResult, CaseReport, Failure } from "../../contract/agent-report.ts";
import { shortenMiddle } from "../shorten-middle.ts";
import { padWidth, textWidth } from "../text-width.ts";
import type { TextTerms } from "../trigger-skill-lines.ts";
import { wrappedWords } from "../wrapped-words.ts";
import { type CellKinds, caseName, cellRest, noVerdictWords } from "./cell-words.ts";
import { lineWords } from "./event-words.ts";

const messageLimit = 1_000;
const nameLimit = 160;
const failuresAtMost = 10;
const indent = "  ";

/** A cell that failed: each failure with its dimension, its code and its place in the log, and how to look at the run. */
export function failedCellLines(result: AgentResult, kinds: CellKinds, terms: TextTerms): string[] {
  const { paint } = terms;
  return [
    headLine("✗", result, kinds, terms, paint.red),
    ...failureLines(result, terms, indent),
    ...replayLines(result, terms),
  ];
}

/** A cell without a verdict, and why it has none. */
export function invalidCellLines(result: AgentResult, kinds: CellKinds, terms: TextTerms): string[] {
  const { paint } = terms;
  return [
    headLine("?", result, kinds, terms, paint.yellow),
    ...wrapped(noVerdictWords(result), indent, terms).map((line) => paint.yellow(line)),
    ...replayLines(result, terms),
  ];
}

/** The failures of a case below each other, each in as many lines as it takes. */
export function failureLines(
  { failures }: Pick<CaseReport, "failures">,
  terms: TextTerms,
  before: string,
  after: (failure: Failure) => string[] = () => [],
): string[] {
  const { paint } = terms;
  const told = failures.slice(0, failuresAtMost);
  const width = Math.max(0, ...told.map(({ dimension }) => textWidth(dimension)));
  const rest = failures.length - told.length;
  const below = `${before}${" ".repeat(width)}  `;
  return [
    ...told.flatMap((failure) => [
      `${before}${paint.red(padWidth(failure.dimension, width))}  ${paint.bold(visibleText(failure.code))}${placeOf(failure, paint)}`,
      ...wrapped(shortenMiddle(failure.message, messageLimit), below, terms),
      ...after(failure),
    ]),
    ...(rest > 0 ? [paint.dim(`${before}… and ${rest} more`)] : []),
  ];
}

/** A stranger's text in lines that fit, each behind the same beginning. */
export function wrapped(text: string, before: string, { width }: TextTerms): string[] {
  const shown = visibleText(text);
  const lines = width === null ? [shown] : wrappedWords(shown, Math.max(20, width - textWidth(before)));
  return lines.map((line) => `${before}${line}`);
}

function placeOf(failure: Failure, paint: TextTerms["paint"]): string {
  const lines = lineWords(failure);
  return lines === null ? "" : paint.dim(`  log ${lines}`);
}

function headLine(
  mark: string,
  result: AgentResult,
  kinds: CellKinds,
  { paint }: TextTerms,
  tone: (text: string) => string,
): string {
  const rest = cellRest(result, kinds).map((word) => shownText(word, nameLimit));
  const name = paint.bold(shownText(caseName(result), nameLimit));
  return `${tone(mark)} ${[name, ...rest.map((word) => paint.dim(word))].join("  ")}`;
}

/** Ready to be pasted, so it is never broken into lines. */
function replayLines({ run_dir }: AgentResult, { paint }: TextTerms): string[] {
  if (run_dir === null) return [];
  return [`${indent}${paint.dim(visibleText(`eval-skills agent replay ${shellWord(run_dir)}`))}`];
}
