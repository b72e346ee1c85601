import type { FailedCase, ReportView } from "../../contract/format.ts";
import type { Block } from "../../contract/view.ts";
import { fitWidth, textWidth } from "../text/text-width.ts";
import { cellReason } from "./cell-words.ts";
import { caseWords, isInformative } from "./outline.ts";
import { blockLines, differenceLines, isStatedIn, type TextTerms } from "./text-blocks.ts";
import { cutWords, limitLines, oneLine, wrapText, wrapWords } from "./wrap-words.ts";

export interface CaseTerms extends TextTerms {
  view: ReportView;
  /** Whether everything is shown, however long it gets. */
  isFull: boolean;
}

const maxReasonLines = 7;
const maxDifferences = 3;
const maxDifferencesFull = 15;
const minTitle = 20;

/** A case that did not pass: its name, how often and why, and what differs. */
export function caseLines(one: FailedCase, terms: CaseTerms): string[] {
  const { paint, isFull, view } = terms;
  const width = terms.width - 2;
  return [
    ...headLines(one, terms),
    ...(view.options.onlySubject === null ? shortDifferences(one, { ...terms, width }) : []).map(
      (line) => `  ${paint.dim(line)}`,
    ),
    ...commandLine(one, view).map((line) => `  ${paint.dim(line)}`),
    ...(isFull ? caseBlocks(one, view) : [])
      .flatMap((block) => blockLines(block, { paint, width: width - 2 }))
      .map((line) => `    ${line}`),
  ];
}

/** On one line where that is enough. */
function headLines(one: FailedCase, { paint, width, isFull }: CaseTerms): string[] {
  const id = oneLine(one.caseId);
  const title = oneLine(one.title ?? "");
  const columnsLeft = width - textWidth(id) - 2;
  const tone = one.status === "invalid" ? paint.yellow : paint.red;
  const emphasized = (line: string) =>
    line.startsWith(one.words) ? `${tone(one.words)}${line.slice(one.words.length)}` : line;
  const wrapped = wrapText(caseWords(one), width - 2);
  const reason = isFull
    ? wrapped
    : limitLines(wrapped, maxReasonLines).map((line) => fitWidth(line, 4 * width));
  const [only = ""] = reason;
  if (title === "" && reason.length === 1 && textWidth(only) <= columnsLeft)
    return [`${paint.bold(id)}  ${emphasized(only)}`];
  const titleWidth = Math.max(minTitle, columnsLeft);
  const [first = "", ...rest] = isFull ? wrapWords(title, titleWidth) : [cutWords(title, titleWidth)];
  return [
    `${paint.bold(id)}  ${first}`.trimEnd(),
    ...[...rest, ...reason.map(emphasized)].map((line) => `  ${line}`.trimEnd()),
  ];
}

/** The command that shows it. Never wrapped, so that it can be pasted. */
function commandLine({ cell }: FailedCase, view: ReportView): string[] {
  const command = view.subjectOf(cell)?.level.view?.command?.(cell) ?? null;
  return command === null || view.options.onlySubject !== null ? [] : [oneLine(command)];
}

function shortDifferences(one: FailedCase, { view, isFull, width }: CaseTerms): string[] {
  return view.explain(one.cell, one.one).flatMap((block) =>
    block.kind === "diff" && isInformative(block, one.reason)
      ? differenceLines(block, {
          maxDifferences: isFull ? maxDifferencesFull : maxDifferences,
          width,
          isRedundant: isStatedIn(one.reason),
        })
      : [],
  );
}

/** What a level knows of a case; of a single requested subject, everything about the first cell that did not pass. */
function caseBlocks({ blocks, cell, one, reason }: FailedCase, view: ReportView): Block[] {
  if (view.options.onlySubject === null) return [...blocks];
  const explained = view.explain(cell, one).filter((block) => {
    if (block.kind === "text") return !reason.includes(block.text) && block.text !== cellReason(cell);
    return block.kind !== "diff" || isInformative(block, reason);
  });
  return mergeFacts([...blocks, ...explained]);
}

/** Facts that follow each other line up. */
function mergeFacts(blocks: readonly Block[]): Block[] {
  const merged: Block[] = [];
  for (const block of blocks) {
    const before = merged.at(-1);
    if (block.kind === "facts" && before?.kind === "facts" && block.title === undefined)
      merged[merged.length - 1] = { ...before, facts: [...before.facts, ...block.facts] };
    else merged.push(block);
  }
  return merged;
}
