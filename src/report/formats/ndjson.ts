import type { Format, ReportView } from "../../contract/format.ts";
import { inertJson, inertText } from "../../shared/text/visible-text.ts";

/** One line with the report, then one line per cell: it has no size limit. */
export const ndjsonFormat = { format: "ndjson", extension: "ndjson", render } satisfies Format;

function* render({ report, cells }: Pick<ReportView, "report" | "cells">): Generator<string> {
  yield* reportLine(report);
  for (const cell of cells()) yield `${inertText(cell)}\n`;
}

/** A run may have many cases, so they are written one at a time. */
function* reportLine(report: ReportView["report"]): Generator<string> {
  let before = "{";
  for (const [name, value] of Object.entries(report)) {
    yield `${before}${JSON.stringify(name)}:`;
    if (name === "cases") yield* list(report.cases);
    else yield inertJson(value);
    before = ",";
  }
  yield "}\n";
}

function* list(items: Iterable<unknown>): Generator<string> {
  let before = "[";
  for (const item of items) {
    yield `${before}${inertJson(item)}`;
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
