import { useMemo, useState } from "preact/hooks";
import { readableText } from "../../src/report/text/html-text.ts";
import { endWords } from "../../src/report/view/cell-words.ts";
import { Choice, Pager } from "./controls.tsx";
import { closestField, maxColumns, moveFocus } from "./matrix-keys.ts";
import {
  caseKind,
  type Entry,
  entryKey,
  entryWords,
  failedCases,
  groupBy,
  type MatrixPart,
  matrixParts,
  matrixTitle,
  verdictsIn,
} from "./matrix-parts.ts";
import { noFilters, type PageState, type Target } from "./page-state.ts";
import { isRetried, type Report } from "./read-report.ts";
import { grouped, StrangerText } from "./values.tsx";

/** How the trials of every case ended for every subject; each leads to its cells. */
export function CaseMatrix(props: {
  report: Report;
  isPrinting: boolean;
  onChoose: (change: Partial<PageState>, target?: Target) => void;
}) {
  const { report, isPrinting, onChoose } = props;
  const parts = useMemo(() => matrixParts(report.cells), [report]);
  const [title, setTitle] = useState<string | null>(null);
  const part = parts.find((part) => part.title === title) ?? parts[0];
  // Drawn anew only when it changes: there may be thousands of fields.
  const drawn = useMemo(
    () => part && <Part key={part.title} part={part} isPrinting={isPrinting} onChoose={onChoose} />,
    [part, isPrinting, onChoose],
  );
  if (part === undefined) return null;
  return (
    <section aria-labelledby="matrix">
      <div class="beside">
        <h2 id="matrix">{matrixTitle(part)}</h2>
        {parts.length > 1 && (
          <div class="filters">
            <Choice
              label="Suite of the matrix"
              all={parts[0]?.title ?? ""}
              items={parts.slice(1).map((part) => part.title)}
              chosen={title}
              onChoose={setTitle}
            />
          </div>
        )}
      </div>
      {drawn}
    </section>
  );
}

/** As many fields as a browser draws without a pause. */
const maxElements = 18_000;

const printableColumns = 30;

function Part(props: {
  part: MatrixPart;
  isPrinting: boolean;
  onChoose: (change: Partial<PageState>, target?: Target) => void;
}) {
  const { part, isPrinting, onChoose } = props;
  const failed = useMemo(() => failedCases(part), [part]);
  const hasRetries = useMemo(
    () => [...part.entries.values()].some(({ cells }) => cells.some(isRetried)),
    [part],
  );
  const columns = Math.min(part.subjects.length, maxColumns);
  const marks = columns * (1 + Math.max(1, ...part.subjects.map(({ trials }) => Math.min(trials, maxMarks))));
  const rowsAtOnce = isPrinting ? 500 : Math.max(10, Math.min(100, Math.floor(maxElements / marks)));
  const [onlyFailed, setOnlyFailed] = useState(
    part.kind === "grid" && failed.length > 0 && part.cases.length > rowsAtOnce,
  );
  const [page, setPage] = useState({ rows: 0, columns: 0 });
  const cases = onlyFailed ? failed : part.cases;
  const isGrid = part.kind === "grid";
  const isWide = isGrid && columns > printableColumns;
  const shown: MatrixPart = {
    ...part,
    cases: isGrid ? cases.slice(page.rows * rowsAtOnce, (page.rows + 1) * rowsAtOnce) : cases,
    subjects: part.subjects.slice(page.columns * columns, (page.columns + 1) * columns),
  };

  function open(target: EventTarget | null): void {
    const entry = part.entries.get(closestField(target)?.dataset.entry ?? "");
    if (entry === undefined) return;
    const { subject, one, cells } = entry;
    const only = cells.length === 1 ? cells.map(({ key }) => key) : [];
    onChoose({ ...noFilters, subject: subject.name, caseId: one.id, page: 0, open: only }, { key: null });
  }

  return (
    <>
      <div class="legend">
        {verdictsIn(part).map((status) => (
          <span key={status}>
            <i class={`trial trial-${status}`} /> {endWords[status]}
          </span>
        ))}
        {hasRetries && (
          <span>
            <i class="trial trial-pass trial-retried" /> passed on a retry
          </span>
        )}
        <span>One mark per trial. Select a field to see its results.</span>
        {failed.length > 0 && failed.length < part.cases.length && (
          <button
            type="button"
            class="link toggle"
            aria-pressed={onlyFailed}
            onClick={() => {
              setOnlyFailed(!onlyFailed);
              setPage({ rows: 0, columns: 0 });
            }}
          >
            {onlyFailed
              ? `Show all ${grouped(part.cases.length)} cases`
              : `Show only the ${grouped(failed.length)} that did not pass everywhere`}
          </button>
        )}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the fields inside are buttons; this hears them all at once */}
      <div
        class={isGrid ? `matrix-box${isWide ? " unprintable" : ""}` : ""}
        onClick={({ target }) => open(target)}
        onKeyDown={moveFocus}
      >
        {isGrid ? <Grid part={shown} /> : <Strips part={shown} />}
        {isWide && <p class="too-wide">The matrix is too wide for paper.</p>}
      </div>
      {isGrid && !isPrinting && cases.length > rowsAtOnce && (
        <Pager
          of="cases"
          page={page.rows}
          pages={Math.ceil(cases.length / rowsAtOnce)}
          onPage={(rows) => setPage({ ...page, rows })}
        />
      )}
      {part.subjects.length > columns && (
        <Pager
          of="subjects"
          page={page.columns}
          pages={Math.ceil(part.subjects.length / columns)}
          onPage={(columns) => setPage({ ...page, columns })}
        />
      )}
    </>
  );
}

/** Rows are cases, columns subjects. */
function Grid({ part }: { part: MatrixPart }) {
  const { cases, subjects, entries } = part;
  const isSlanted = subjects.length > 5;
  const only = subjects.length === 1 ? subjects[0] : undefined;
  let isFirst = true;
  return (
    <table class="matrix">
      <caption class="unseen">Cases by subjects; the arrow keys lead from field to field</caption>
      <thead>
        <tr>
          <td class="corner" />
          {subjects.map((subject) => (
            <th key={subject.index} scope="col">
              <span class={isSlanted ? "slanted" : ""} title={readableText(subject.shortName)}>
                <StrangerText text={subject.shortName} limit={40} />
              </span>
            </th>
          ))}
          {only !== undefined && <td />}
        </tr>
      </thead>
      <tbody>
        {cases.map((one, row) => (
          <tr key={one.index}>
            <th scope="row" title={readableText(one.name)}>
              <StrangerText text={one.name} limit={160} />
            </th>
            {subjects.map((subject, column) => {
              const entry = entries.get(entryKey(subject, one));
              if (entry === undefined) return <td key={subject.index} />;
              const isStop = isFirst;
              isFirst = false;
              return (
                <td key={subject.index} class={caseKind(entry)}>
                  <Field entry={entry} at={`${row},${column}`} isStop={isStop} />
                </td>
              );
            })}
            {only !== undefined && <Words entry={entries.get(entryKey(only, one))} />}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** With a single subject: the results of a case's trials, and why. */
function Words({ entry }: { entry: Entry | undefined }) {
  if (entry === undefined) return null;
  const failed = entry.cells.find(({ status }) => status !== "pass");
  return (
    <td class="words">
      {entryWords(entry)}
      {failed !== undefined && failed.reason !== "" && (
        <span class="under">
          {" "}
          <StrangerText text={failed.reason} limit={200} />
        </span>
      )}
    </td>
  );
}

/** A row for each subject with the cases it has. */
function Strips({ part }: { part: MatrixPart }) {
  const { cases, subjects, entries } = part;
  const shown = new Set(cases);
  const bySubject = groupBy(
    [...entries.values()].filter(({ one }) => shown.has(one)),
    ({ subject }) => subject,
  );
  const fields = Math.max(50, Math.floor(maxElements / 4 / subjects.length));
  let isFirst = true;
  return (
    <table class="strips">
      <caption class="unseen">Cases of each subject; the arrow keys lead from field to field</caption>
      <tbody>
        {subjects.map((subject, row) => {
          const own = bySubject.get(subject) ?? [];
          return (
            <tr key={subject.index}>
              <th scope="row">
                <StrangerText text={subject.name} limit={80} />
              </th>
              <td>
                {own.slice(0, fields).map((entry, column) => {
                  const isStop = isFirst;
                  isFirst = false;
                  return (
                    <span key={entry.one.index} class={caseKind(entry)}>
                      <Field entry={entry} at={`${row},${column}`} isStop={isStop} />
                    </span>
                  );
                })}
                {own.length > fields && <span class="under"> and {grouped(own.length - fields)} more</span>}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** More trials than this are a number and not marks. */
const maxMarks = 12;

const marksInLine = 5;

function Field({ entry, at, isStop }: { entry: Entry; at: string; isStop: boolean }) {
  const { subject, one, cells } = entry;
  const passed = cells.filter(({ status }) => status === "pass").length;
  return (
    <button
      type="button"
      class={cells.length > marksInLine ? "field field-many" : "field"}
      tabIndex={isStop ? 0 : -1}
      data-at={at}
      data-entry={entryKey(subject, one)}
      title={readableText(`${one.name}, ${subject.shortName}: ${entryWords(entry)}`)}
    >
      {cells.length > maxMarks
        ? `${passed}/${cells.length}`
        : cells.map((cell, nth) => (
            <i key={nth} class={`trial trial-${cell.status}${isRetried(cell) ? " trial-retried" : ""}`} />
          ))}
    </button>
  );
}
