import { useEffect, useMemo, useRef } from "preact/hooks";
import { endWords } from "../../src/report/view/cell-words.ts";
import { Blocks, numberClass, toneClass, Value } from "./blocks.tsx";
import { type TableColumn, tableColumns } from "./cell-columns.ts";
import { CellDetails } from "./cell-details.tsx";
import { CellFilters } from "./cell-filters.tsx";
import { type ChosenCells, chooseCells } from "./choose-cells.ts";
import { Pager, SortHeader } from "./controls.tsx";
import { entryWords } from "./matrix-parts.ts";
import { type PageState, type StateControl, statusOrder, type Target } from "./page-state.ts";
import { type Cell, cellValue, isRetried, type Report } from "./read-report.ts";
import { StatusMark } from "./status-mark.tsx";
import { grouped, StrangerText } from "./values.tsx";

const pageSize = 50;
const maxPrintedCells = 500;

/** Every cell of the page, a page of them at a time: searched, filtered and sorted in the page itself. */
export function CellTable(props: { report: Report; control: StateControl; isPrinting: boolean }) {
  const { report, control, isPrinting } = props;
  const { state, target, change } = control;
  const section = useRef<HTMLElement>(null);
  const columns = useMemo(() => tableColumns(report), [report]);
  const chosen = useMemo(
    () => chooseCells(report.cells, state),
    [
      ...[report, state.text, state.statuses, state.suite, state.subject, state.caseId],
      ...[state.tag, state.columns, state.order],
    ],
  );
  const shown = currentPage(chosen, state, isPrinting);
  useEffect(() => {
    if (target !== null && target.key === null) section.current?.scrollIntoView({ block: "start" });
  }, [target]);

  function toggle(key: string): void {
    change(({ open }) => ({
      open: open.includes(key) ? open.filter((other) => other !== key) : [...open, key],
      page: shown.page,
    }));
  }

  return (
    <section ref={section} aria-labelledby="cells">
      <h2 id="cells">Results</h2>
      <CellFilters report={report} state={state} counts={chosen.counts} onChange={change} />
      <Chosen state={state} chosen={chosen} />
      <p class="showing" role="status">
        {shownWords(shown, chosen.cells.length, report.cells.length)}
      </p>
      <table class="cells">
        <caption class="unseen">Results, one row per case, subject and trial</caption>
        <Head columns={columns} state={state} onChange={change} />
        <tbody>
          {shown.cells.map((cell, at) => (
            <CellRow
              key={`${cell.subject.index},${cell.one.index},${cell.trial},${at}`}
              cell={cell}
              columns={columns}
              isOpen={state.open.includes(cell.key)}
              target={target}
              onToggle={() => toggle(cell.key)}
            />
          ))}
        </tbody>
      </table>
      {chosen.cells.length === 0 && <p class="empty">Nothing matches these filters.</p>}
      {shown.pages > 1 && !isPrinting && (
        <Pager page={shown.page} pages={shown.pages} onPage={(page) => change({ page }, { key: null })} />
      )}
    </section>
  );
}

interface Shown {
  cells: readonly Cell[];
  first: number;
  page: number;
  pages: number;
}

/** The visible rows. A link to a cell has no page number: its page is the one with the cell. */
function currentPage({ cells }: ChosenCells, state: PageState, isPrinting: boolean): Shown {
  const pages = Math.max(1, Math.ceil(cells.length / pageSize));
  const [key] = state.open;
  const linked =
    key === undefined
      ? 0
      : Math.max(
          0,
          cells.findIndex((cell) => cell.key === key),
        );
  const page = Math.min(state.page ?? Math.floor(linked / pageSize), pages - 1);
  const first = isPrinting ? 0 : page * pageSize;
  return { cells: cells.slice(first, first + (isPrinting ? maxPrintedCells : pageSize)), first, page, pages };
}

/** `1–50 of 5,000 results`, `3 of 60 results`. */
function shownWords({ cells, first }: Shown, found: number, all: number): string {
  const nouns = found === 1 && found === all ? "result" : "results";
  const of = found === all ? "" : ` found among ${grouped(all)}`;
  if (cells.length === found) return `${grouped(found)} ${found === 1 ? "result" : nouns}${of}`;
  return `${grouped(first + 1)}–${grouped(first + cells.length)} of ${grouped(found)} results${of}`;
}

/** Where one case of one subject was chosen: what is known of it as a whole. */
function Chosen({ state, chosen }: { state: PageState; chosen: ChosenCells }) {
  const [cell] = chosen.cells;
  if (state.subject === null || state.caseId === null || cell === undefined) return null;
  const { subject, one } = cell;
  const cells = chosen.cells.filter((other) => other.subject === subject && other.one === one);
  const worst = statusOrder.find((status) => cells.some((cell) => cell.status === status)) ?? "pass";
  const { status = worst, reason, blocks = [] } = subject.verdicts.get(one.id) ?? {};
  return (
    <div class="entry">
      <p class="entry-head">
        <StatusMark status={status} />{" "}
        <strong>
          <StrangerText text={one.name} />
        </strong>
        , <StrangerText text={subject.name} />: <StrangerText text={entryWords({ subject, one, cells })} />
        {reason != null && (
          <span class="why lines">
            <StrangerText text={reason} />
          </span>
        )}
      </p>
      <Blocks blocks={blocks} cell={cell} />
    </div>
  );
}

function Head(props: {
  columns: readonly TableColumn[];
  state: PageState;
  onChange: StateControl["change"];
}) {
  const { columns, state, onChange } = props;
  const header = {
    order: state.order,
    onOrder: (order: PageState["order"]) => onChange({ order, page: 0 }),
  };
  return (
    <thead>
      <tr>
        <SortHeader column="status" class="status-column" {...header}>
          Status
        </SortHeader>
        <SortHeader column="caseId" {...header}>
          Case
        </SortHeader>
        {columns.map((column) => (
          <SortHeader
            key={column.id}
            column={column.id}
            class={columnClass(column)}
            largestFirst={column.unit !== "text" && column.unit !== "count"}
            {...header}
          >
            <StrangerText text={column.label} />
          </SortHeader>
        ))}
      </tr>
    </thead>
  );
}

function columnClass({ size, isOwn, unit }: TableColumn): string {
  return `size-${size} ${isOwn ? "own" : ""} ${numberClass(unit)}`;
}

function CellRow(props: {
  cell: Cell;
  columns: readonly TableColumn[];
  isOpen: boolean;
  target: Target | null;
  onToggle: () => void;
}) {
  const { cell, columns, isOpen, target, onToggle } = props;
  const { subject, one, trial, status, attempts, reason, key } = cell;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (target?.key === key) row.current?.scrollIntoView({ block: "start" });
  }, [target]);
  const mark = isRetried(cell) ? "repaired" : status;
  const ended = isRetried(cell) ? `passed on attempt ${attempts}` : endWords[status];
  const detailsId = `cell-${key}`;
  const has = (id: string) => columns.some((column) => column.id === id);
  const whose = [has("subject") ? subject.name : null, has("trial") ? `trial ${trial}` : null];
  return (
    <>
      <tr ref={row} class={isOpen ? "cell open" : "cell"}>
        <td class={`status status-${mark}`}>
          <div>
            <StatusMark status={mark} /> <span class="word">{ended}</span>
          </div>
        </td>
        <th scope="row" class="task">
          <button
            type="button"
            class="expand"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={onToggle}
          >
            <StrangerText text={one.name} limit={300} />
          </button>
          <span class="whose">
            <StrangerText text={whose.filter((part) => part !== null).join(", ")} limit={160} />
          </span>
          {reason !== "" && !isOpen && (
            <span class="why">
              <StrangerText text={reason} limit={400} />
            </span>
          )}
        </th>
        {columns.map((column) => {
          const found = cellValue(cell, column.id);
          return (
            <td key={column.id} class={`${columnClass(column)} ${toneClass(found?.tone)}`}>
              {found !== undefined && <Value value={found.value} unit={column.unit} />}
            </td>
          );
        })}
      </tr>
      {isOpen && (
        <tr class="details-row" id={detailsId}>
          <td colSpan={2 + columns.length}>
            <CellDetails cell={cell} />
          </td>
        </tr>
      )}
    </>
  );
}
