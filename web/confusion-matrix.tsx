import { useMemo, useRef, useState } from "preact/hooks";
import type { ConfusionRow } from "../src/contract/trigger-report.ts";
import { shortenMiddle } from "../src/reporters/shorten-middle.ts";
import { type ConfusionGrid, confusionGrid, type GridRow } from "./confusion-grid.ts";
import { grouped } from "./grouped.ts";
import { shadeOf } from "./shade-of.ts";
import { StrangerText } from "./stranger-text.tsx";

/** Requests meant for one skill, null for nobody, that were given to one, null for none; undefined where nobody can say. */
export interface MatrixField {
  intended: string | null;
  chosen: string | null | undefined;
}

/** Names of one family differ at their ends. */
const nameLimit = 28;
const listedAtMost = 50;
const printableColumns = 40;

/** Whom requests were meant for, down, and who was chosen for them, across. Takes plain rows; texts of the requests are asked for by field. */
export function ConfusionMatrix(props: {
  title: string;
  rows: readonly ConfusionRow[];
  textsOf: (field: MatrixField) => readonly string[];
}) {
  const { title, rows, textsOf } = props;
  const grid = useMemo(() => confusionGrid(rows), [rows]);
  const [at, setAt] = useState<readonly [number, number] | null>(null);
  // Ten thousand fields are drawn once, however often the reader looks at another.
  const table = useMemo(() => <Grid title={title} grid={grid} onLook={setAt} />, [title, grid]);
  const width = grid.skills.length;
  return (
    <figure class={width > printableColumns ? "confusion unprintable" : "confusion"}>
      <div class="matrix-box">{table}</div>
      <div class="looked-at" role="status">
        {at === null ? (
          <p class="under">
            Point at a field, or move through the matrix with the arrow keys, to see its requests.
          </p>
        ) : (
          <Field grid={grid} at={at} textsOf={textsOf} />
        )}
      </div>
      {grid.leftOut > 0 && (
        <p class="note">
          The {grouped(width)} skills that were mistaken most; {grouped(grid.leftOut)} more are in the JSON
          report.
        </p>
      )}
      <p class="too-wide">
        A matrix of {width} skills is too wide for paper; the page and the JSON report have it.
      </p>
    </figure>
  );
}

/** The matrix itself: one stop for the tab key, inside it the arrow keys lead on. */
function Grid(props: {
  title: string;
  grid: ConfusionGrid;
  onLook: (at: readonly [number, number] | null) => void;
}) {
  const { title, grid, onLook } = props;
  const table = useRef<HTMLTableElement>(null);
  const fieldAt = (row: number, column: number) =>
    table.current?.tBodies[0]?.rows[row]?.cells[column + 1] as HTMLTableCellElement | undefined;

  function look(event: Event): void {
    const found = placeOf(event.target);
    if (found !== null) onLook(found);
  }

  function move(event: KeyboardEvent): void {
    const from = placeOf(event.target);
    const step = steps[event.key];
    if (from === null || step === undefined) return;
    const next = step(from, [grid.rows.length - 1, columnsOf(grid) - 1]);
    const [before, after] = [fieldAt(...from), fieldAt(...next)];
    if (before === undefined || after === undefined) return;
    event.preventDefault();
    before.tabIndex = -1;
    after.tabIndex = 0;
    after.focus();
  }

  return (
    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is what the arrow keys make of a table
    <table ref={table} class="matrix" role="grid" onPointerOver={look} onFocusIn={look} onKeyDown={move}>
      <caption class="unseen">{title}</caption>
      <thead>
        <tr>
          <th scope="col" class="corner">
            <span class="down">meant for</span> <span class="across">chosen</span>
          </th>
          {grid.skills.map((skill) => (
            <th key={skill} scope="col">
              <Slanted text={skill} />
            </th>
          ))}
          <th scope="col" class="apart">
            <span class="slanted">NONE</span>
          </th>
          {grid.hasUndecided && (
            <th scope="col" class="apart">
              <span class="slanted">undecided</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {grid.rows.map((row, place) => (
          <tr key={row.intended ?? place} class={row.intended === null ? "nobody" : ""}>
            <th scope="row">
              {row.intended === null ? (
                "no owner"
              ) : (
                <StrangerText text={shortenMiddle(row.intended, nameLimit)} />
              )}
            </th>
            {row.counts.map((count, column) => (
              <td
                key={column}
                class={fieldClass(grid, row, column)}
                tabIndex={place === 0 && column === 0 ? 0 : -1}
                data-place={`${place},${column}`}
              >
                {count === 0 ? "" : grouped(count)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Slanted({ text }: { text: string }) {
  return (
    <span class="slanted">
      <StrangerText text={shortenMiddle(text, nameLimit)} />
    </span>
  );
}

function Field(props: {
  grid: ConfusionGrid;
  at: readonly [number, number];
  textsOf: (field: MatrixField) => readonly string[];
}) {
  const { grid, at, textsOf } = props;
  const [place, column] = at;
  const row = grid.rows[place];
  if (row === undefined) return null;
  const { intended, counts, total } = row;
  const count = counts[column] ?? 0;
  const chosen =
    column < grid.skills.length ? grid.skills[column] : column === grid.skills.length ? null : undefined;
  const texts = count === 0 ? [] : textsOf({ intended, chosen });
  return (
    <>
      <p>
        <strong>
          {grouped(count)} of {grouped(total)}
        </strong>{" "}
        meant for {intended === null ? "nobody" : <StrangerText text={intended} limit={80} />}:{" "}
        {chosen === undefined && "no choice that most answers agree on"}
        {chosen === null && "nobody was chosen"}
        {typeof chosen === "string" && (
          <>
            <StrangerText text={chosen} limit={80} /> was chosen
          </>
        )}
        {column === row.right && ", which is right"}
      </p>
      <ul>
        {texts.slice(0, listedAtMost).map((text, nth) => (
          <li key={nth}>
            <StrangerText text={text} limit={200} />
          </li>
        ))}
        {texts.length > listedAtMost && <li>and {grouped(texts.length - listedAtMost)} more</li>}
      </ul>
    </>
  );
}

function fieldClass(grid: ConfusionGrid, row: GridRow, column: number): string {
  const kind = column === row.right ? "right" : column < grid.skills.length ? "wrong" : "missed";
  const apart = column === grid.skills.length ? " apart" : "";
  return `${kind} shade-${shadeOf(row.counts[column] ?? 0, row.total)}${apart}`;
}

function columnsOf({ skills, hasUndecided }: ConfusionGrid): number {
  return skills.length + 1 + Number(hasUndecided);
}

function placeOf(target: EventTarget | null): [number, number] | null {
  const place = target instanceof HTMLElement ? target.dataset.place : undefined;
  if (place === undefined) return null;
  const [row = 0, column = 0] = place.split(",").map(Number);
  return [row, column];
}

type Place = readonly [number, number];
const steps: Record<string, (from: Place, last: Place) => [number, number]> = {
  ArrowUp: ([row, column]) => [Math.max(0, row - 1), column],
  ArrowDown: ([row, column], [last]) => [Math.min(last, row + 1), column],
  ArrowLeft: ([row, column]) => [row, Math.max(0, column - 1)],
  ArrowRight: ([row, column], [, last]) => [row, Math.min(last, column + 1)],
  Home: ([row]) => [row, 0],
  End: ([row], [, last]) => [row, last],
};
