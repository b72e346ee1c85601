import type { ConfusionRow, TriggerReport } from "../contract/trigger-report.ts";
import { chosenOf, confusionColumns } from "./confusion-columns.ts";
import { describeConfusion } from "./describe-confusion.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { percent } from "./format-numbers.ts";
import { markdownTable, numberColumn, wordColumn } from "./markdown-table.ts";
import { describePositionBias } from "./position-bias.ts";

const columnsAtMost = 12;

/** Who is taken for whom, and whether the place of a card decides; nothing where nobody chose among skills. */
export function* markdownConfusion({ confusion, results }: TriggerReport): Generator<string> {
  if (confusion == null) return;
  const columns = confusionColumns(confusion.rows);
  yield "\n## Who was chosen for whose requests\n\n";
  if (columns.length <= columnsAtMost) {
    // A head of a table is no place for a stranger's text, so columns bear the numbers of their rows.
    const heads = columns.map((_, at) => numberColumn(String(at + 1)));
    yield* markdownTable(
      [
        numberColumn("#"),
        wordColumn("Requests for"),
        ...heads,
        numberColumn("none"),
        numberColumn("undecided"),
      ],
      matrixRows(confusion.rows, columns),
    );
    yield "\n";
  }
  yield `${escapeMarkdown(describeConfusion(confusion))}\n`;
  if (confusion.worstPairs.length > 0) {
    yield "\n### Mistaken most often\n\n";
    yield* markdownTable(
      [wordColumn("Meant for"), wordColumn("Went to"), numberColumn("Queries"), numberColumn("Share")],
      confusion.worstPairs.map(({ intended, chosen, count, of, rate }) => [
        intended,
        chosen,
        `${count} of ${of}`,
        percent(rate),
      ]),
    );
  }
  const position = describePositionBias(results);
  if (position !== null) yield `\n${escapeMarkdown(position)}\n`;
}

function matrixRows(rows: readonly ConfusionRow[], columns: readonly string[]): string[][] {
  const byId = new Map(rows.map((row) => [row.intended, row]));
  const none: ConfusionRow = { intended: null, chosen: {}, none: 0, undecided: 0 };
  const counts = (row: ConfusionRow) =>
    [...columns.map((column) => chosenOf(row, column)), row.none, row.undecided].map(String);
  const nobodys = byId.get(null);
  return [
    ...columns.map((id, at) => [String(at + 1), id, ...counts(byId.get(id) ?? none)]),
    ...(nobodys === undefined ? [] : [["", "no skill", ...counts(nobodys)]]),
  ];
}
