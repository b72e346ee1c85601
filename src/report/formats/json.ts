import type { ReportDocument } from "../../contract/document.ts";
import type { Format, ReportView } from "../../contract/format.ts";
import { inertJson, inertText } from "../../shared/text/visible-text.ts";

/** The whole report for machines: what `--json` prints and what every other command reads. */
export const jsonFormat = { format: "json", extension: "json", render } satisfies Format;

type Member = keyof ReportDocument | "cells";

/** The order in which members are written; the compiler keeps the list complete. */
const members = Object.keys({
  schemaVersion: 0,
  tool: 0,
  run: 0,
  suites: 0,
  subjects: 0,
  gates: 0,
  cases: 0,
  cells: 0,
  judges: 0,
  skipped: 0,
  quarantine: 0,
  notLoaded: 0,
  passed: 0,
  total: 0,
  warnings: 0,
  files: 0,
  exitCode: 0,
} satisfies Record<Member, 0>) as Member[];

function render({ report, cells }: Pick<ReportView, "report" | "cells">): Iterable<string> {
  const lines = (items: Iterable<unknown>) => () => jsonList(items, "  ", (item) => [inertJson(item)]);
  return jsonDocument<Member>(members, report, {
    subjects: lines(report.subjects),
    gates: lines(report.gates),
    cases: lines(report.cases),
    // Cells are passed on as they were stored: reading and writing each again would be most of the work.
    cells: () => jsonList(cells(), "  ", (cell) => [inertText(cell)]),
  });
}

/** A JSON list with one item per line, each item in as many pieces as it likes. */
export function* jsonList<Item>(
  items: Iterable<Item>,
  indent: string,
  pieces: (item: Item) => Iterable<string>,
): Generator<string> {
  let isEmpty = true;
  for (const item of items) {
    yield `${isEmpty ? "[" : ","}\n${indent}  `;
    yield* pieces(item);
    isEmpty = false;
  }
  yield isEmpty ? "[]" : `\n${indent}]`;
}

/** A JSON document member by member, in this order; `pieces` writes what is too much for one piece, and undefined is left out. */
export function* jsonDocument<Name extends string>(
  names: readonly Name[],
  report: Readonly<Partial<Record<Name, unknown>>>,
  pieces: Readonly<Partial<Record<Name, () => Iterable<string>>>>,
): Generator<string> {
  let before = "{\n";
  for (const name of names) {
    const write = pieces[name];
    if (write === undefined && report[name] === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    if (write === undefined) yield inertJson(report[name], 2).replaceAll("\n", "\n  ");
    else yield* write();
    before = ",\n";
  }
  yield "\n}\n";
}
