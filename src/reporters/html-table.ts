import { escapeHtml } from "./html-text.ts";

export interface HtmlColumn {
  title: string;
  kind: "word" | "number" | "text";
}

export function wordColumn(title: string): HtmlColumn {
  return { title, kind: "word" };
}

export function numberColumn(title: string): HtmlColumn {
  return { title, kind: "number" };
}

/** A column for whatever may be long: it stays wide enough to be read, and the table scrolls. */
export function textColumn(title: string): HtmlColumn {
  return { title, kind: "text" };
}

/** A table in markup, row by row; every text in it is escaped here. */
export function* htmlTable(
  caption: string,
  columns: readonly HtmlColumn[],
  rows: Iterable<readonly string[]>,
): Generator<string> {
  const classes = columns.map(({ kind }) => (kind === "word" ? "" : ` class="${kind}"`));
  yield `<div class="scroll"><table>\n<caption class="unseen">${escapeHtml(caption)}</caption>\n<thead><tr>`;
  for (const [place, { title }] of columns.entries())
    yield `<th scope="col"${classes[place]}>${escapeHtml(title)}</th>`;
  yield "</tr></thead>\n<tbody>\n";
  for (const row of rows)
    yield `<tr>${row.map((text, place) => `<td${classes[place] ?? ""}>${escapeHtml(text)}</td>`).join("")}</tr>\n`;
  yield "</tbody>\n</table></div>\n";
}
