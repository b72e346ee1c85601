import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { readableText } from "../../src/report/text/html-text.ts";
import { cutWords } from "../../src/report/view/wrap-words.ts";
import { grouped } from "./values.tsx";

/** A choice of one item or of all, among texts that others wrote; an item is shown by its own name where no words are given. */
export function Choice<Item extends string>(props: {
  label: string;
  all: string;
  items: readonly Item[];
  words?: readonly string[];
  chosen: Item | null;
  onChoose: (item: Item | null) => void;
}) {
  const { label, all, items, words = items, chosen, onChoose } = props;
  return (
    <label>
      <span class="unseen">{label}</span>
      {/* Options go by index, since any text may be one of them. */}
      <select
        value={chosen === null ? "" : String(items.indexOf(chosen))}
        onChange={({ currentTarget: { value } }) =>
          onChoose(items[value === "" ? -1 : Number(value)] ?? null)
        }
      >
        <option value="">{all}</option>
        {words.map((word, at) => (
          <option key={at} value={String(at)}>
            {readableText(cutWords(word, 60))}
          </option>
        ))}
      </select>
    </label>
  );
}

const pauseMs = 120;

/** Searches once the reader pauses, so that typing stays fluid over many rows. */
export function SearchBox(props: {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
}) {
  const { label, placeholder, text, onText } = props;
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(text), [text]);

  function type(next: string): void {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onText(next), pauseMs);
  }

  return (
    <label class="searchbox">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </label>
  );
}

/** Clears every filter. */
export function ClearFilters({ onClear }: { onClear: () => void }) {
  return (
    <button type="button" class="quiet" onClick={onClear}>
      Clear filters
    </button>
  );
}

/** The order of a table: by which column, and which way. */
export interface SortOrder<Key extends string> {
  by: Key;
  isDescending: boolean;
}

/** The title of a column that sorts when pressed. */
export function SortHeader<Key extends string>(props: {
  column: Key;
  order: SortOrder<Key>;
  onOrder: (order: SortOrder<Key>) => void;
  class?: string;
  /** Numbers are usually wanted largest first. */
  largestFirst?: boolean;
  /** Shown below the title, outside the button. */
  under?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { column, order, onOrder, largestFirst = false } = props;
  const isSorted = order.by === column;
  const sorted = order.isDescending ? "descending" : "ascending";
  const next = isSorted ? !order.isDescending : largestFirst;
  return (
    <th scope="col" class={props.class ?? ""} aria-sort={isSorted ? sorted : "none"}>
      <button type="button" class="sort" onClick={() => onOrder({ by: column, isDescending: next })}>
        {props.children}
        {isSorted && (
          <span class="arrow" aria-hidden="true">
            {order.isDescending ? "↓" : "↑"}
          </span>
        )}
      </button>
      {props.under}
    </th>
  );
}

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

const themes = ["system", "light", "dark"] as const;

/** Chooses light or dark for as long as the page is open; at first the system decides. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<(typeof themes)[number]>("system");

  function choose(next: (typeof themes)[number]): void {
    setTheme(next);
    document.documentElement.dataset.theme = next;
  }

  return (
    <fieldset class="theme">
      <legend class="unseen">Colours</legend>
      {themes.map((name) => (
        <button key={name} type="button" aria-pressed={theme === name} onClick={() => choose(name)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
