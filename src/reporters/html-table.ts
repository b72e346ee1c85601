import { escapeHtml } from "./html-text.ts";

export interface HtmlColumn {
  title: string;
  isNumber: boolean;
}

export function wordColumn(title: string): HtmlColumn {
  return { title, isNumber: false };
}

export function numberColumn(title: string): HtmlColumn {
  return { title, isNumber: true };
}

/** A table in markup, row by row; every text in it is escaped here. */
export function* htmlTable(
  caption: string,
  columns: readonly HtmlColumn[],
  rows: Iterable<readonly string[]>,
): Generator<string> {
  const kind = (place: number) => (columns[place]?.isNumber ? ' class="number"' : "");
  yield `<div class="scroll"><table>\n<caption class="unseen">${escapeHtml(caption)}</caption>\n<thead><tr>`;
  for (const [place, { title }] of columns.entries())
    yield `<th scope="col"${kind(place)}>${escapeHtml(title)}</th>`;
  yield "</tr></thead>\n<tbody>\n";
  for (const row of rows)
    yield `<tr>${row.map((text, place) => `<td${kind(place)}>${escapeHtml(text)}</td>`).join("")}</tr>\n`;
  yield "</tbody>\n</table></div>\n";
}
