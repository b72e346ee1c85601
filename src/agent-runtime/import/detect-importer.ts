import { type TraceKind, traceKinds } from "../../contract/trace-kind.ts";
import { shorten, shownText } from "../../shared/text/visible-text.ts";
import type { Importer } from "./importer.ts";
import { invalid, type TraceItem } from "./read-values.ts";

/** The importer whose format the items are in. The one that is asked for is refused where the content is not of its format. */
export function detectImporter(
  importers: readonly Importer[],
  items: readonly TraceItem[],
  asked: TraceKind | null,
): Importer {
  const readable = items.filter(({ problem }) => problem === null);
  // Most of it: a few lines may be damaged, or newer than the importer.
  const fits = importers.filter(
    (importer) => readable.filter(({ value }) => importer.recognizes(value)).length * 2 > readable.length,
  );
  const wanted = asked === null ? fits : fits.filter(({ kind }) => kind === asked);
  const [found] = wanted;
  if (found !== undefined && wanted.length === 1) return found;
  const [first] = readable;
  const begins = first === undefined ? "" : `; it begins with ${shownText(shorten(first.text, 120))}`;
  const kinds = fits.map(({ kind }) => kind).join(" and ");
  if (asked !== null)
    throw invalid(`is not in the format ${asked}${kinds === "" ? begins : `: it looks like ${kinds}`}`);
  throw invalid(
    kinds === ""
      ? `is in none of the formats ${traceKinds.join(", ")}${begins}`
      : `could be ${kinds}: name one`,
  );
}
