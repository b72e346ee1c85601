import { useState } from "preact/hooks";

const pageSize = 50;
const printedAtMost = 500;

/** The rows a reader has before them, and where these stand among those that were found. */
export interface Turned {
  shown: readonly number[];
  first: number;
  page: number;
  pages: number;
  turnTo: (page: number) => void;
}

/** Cuts what a query found into pages. A page belongs to the query it was turned in: another query begins at its first. */
export function usePage(query: unknown, places: readonly number[], isPrinting: boolean): Turned {
  const [turned, setTurned] = useState({ query, page: 0 });
  const pages = Math.max(1, Math.ceil(places.length / pageSize));
  const page = turned.query === query ? Math.min(turned.page, pages - 1) : 0;
  const first = isPrinting ? 0 : page * pageSize;
  const shown = places.slice(first, first + (isPrinting ? printedAtMost : pageSize));
  return { shown, first, page, pages, turnTo: (next) => setTurned({ query, page: next }) };
}
