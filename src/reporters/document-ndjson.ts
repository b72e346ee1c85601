import { inertJson, inertText } from "../base/inert-json.ts";
import type { CellReader, Format, Rendered } from "../contract/format.ts";

/** One line with the report, then one line per cell: it has no size limit. */
export const ndjsonFormat: Format = { format: "ndjson", extension: "ndjson", render };

function* render(report: Rendered, cells: CellReader): Generator<string> {
  yield `${inertJson({ ...report, cases: [...report.cases] })}\n`;
  for (const cell of cells()) yield `${inertText(cell)}\n`;
}
