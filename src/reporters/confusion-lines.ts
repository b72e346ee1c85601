import { shownText } from "../base/visible-text.ts";
import type { ConfusionRow, ConfusionSummary } from "../contract/trigger-report.ts";
import { alignedLines } from "./aligned-lines.ts";
import { chosenOf, confusionColumns } from "./confusion-columns.ts";
import { describeConfusion } from "./describe-confusion.ts";
import { fitWidth } from "./text-width.ts";
import type { TextTerms } from "./trigger-skill-lines.ts";
import { wrappedWords } from "./wrapped-words.ts";

const columnsAtMost = 12;
const nameWidth = 24;

/** Who is taken for whom: the matrix where it is small, else the pairs that are mistaken most often. */
export function confusionLines(confusion: ConfusionSummary, terms: TextTerms): string[] {
  const columns = confusionColumns(confusion.rows);
  const shares = describeConfusion(confusion);
  const { width } = terms;
  return [
    terms.paint.bold("who was chosen for whose requests"),
    ...(columns.length <= columnsAtMost
      ? matrixLines(confusion.rows, columns, terms)
      : pairLines(confusion, terms)),
    ...(width === null ? [shares] : wrappedWords(shares, width - 2)).map((line) => `  ${line}`),
  ];
}

/** Columns bear the numbers of their rows: names would not fit side by side. */
function matrixLines(
  rows: readonly ConfusionRow[],
  columns: readonly string[],
  { paint }: TextTerms,
): string[] {
  const noneColumn = columns.length + 2;
  const hasUndecided = rows.some(({ undecided }) => undecided > 0);
  const head = ["", "requests for", ...columns.map((_, at) => String(at + 1)), "none"];
  const byId = new Map(rows.map((row) => [row.intended, row]));
  const cellsOf = (row: ConfusionRow) => [
    ...columns.map((column) => count(chosenOf(row, column))),
    count(row.none),
    ...(hasUndecided ? [count(row.undecided)] : []),
  ];
  const nobodys = byId.get(null);
  const lines = [
    hasUndecided ? [...head, "undecided"] : head,
    ...columns.map((id, at) => [String(at + 1), name(id), ...cellsOf(byId.get(id) ?? noRequests)]),
    ...(nobodys === undefined ? [] : [["", "no skill", ...cellsOf(nobodys)]]),
  ];
  return alignedLines(lines, {
    align: ["right", "left", ...Array<"right">(columns.length + 2).fill("right")],
    paint: (text, column, line) => {
      if (line === 0 || column === 0 || text.trim() === "·") return paint.dim(text);
      if (column === 1) return text;
      if (column > noneColumn) return paint.yellow(text);
      const isRight = line > columns.length ? column === noneColumn : column - 1 === line;
      return isRight ? paint.green(text) : paint.red(text);
    },
  }).map((line) => `  ${line}`);
}

const noRequests: ConfusionRow = { intended: null, chosen: {}, none: 0, undecided: 0 };

function pairLines({ worstPairs }: ConfusionSummary, { paint }: TextTerms): string[] {
  const rows = worstPairs.map(({ intended, chosen, count, of }) => [
    `  ${name(intended)}`,
    `→ ${name(chosen)}`,
    `${count} of ${of}`,
  ]);
  return alignedLines(rows, { paint: (text, column) => (column === 2 ? paint.red(text) : text) });
}

function name(id: string): string {
  return fitWidth(shownText(id, 100), nameWidth);
}

function count(times: number): string {
  return times === 0 ? "·" : String(times);
}
