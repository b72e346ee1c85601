import { grouped } from "./grouped.ts";

/** Turns the pages of a table. */
export function Pager(props: { page: number; pages: number; onPage: (page: number) => void; of?: string }) {
  const { page, pages, onPage, of = "results" } = props;
  const isFirst = page === 0;
  const isLast = page === pages - 1;
  return (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      <button type="button" disabled={isFirst} onClick={() => onPage(0)}>
        First
      </button>
      <button type="button" disabled={isFirst} onClick={() => onPage(page - 1)}>
        Previous
      </button>
      <span>
        Page {grouped(page + 1)} of {grouped(pages)}
      </span>
      <button type="button" disabled={isLast} onClick={() => onPage(page + 1)}>
        Next
      </button>
      <button type="button" disabled={isLast} onClick={() => onPage(pages - 1)}>
        Last
      </button>
    </nav>
  );
}
