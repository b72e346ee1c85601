import type { ComponentChildren } from "preact";

/** The order a table stands in: by which column, and which way. */
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
  /** Stands below the title, outside what is pressed. */
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
