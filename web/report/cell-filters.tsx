import { useMemo } from "preact/hooks";
import type { Verdict } from "../../src/contract/result.ts";
import { endWords } from "../../src/report/view/cell-words.ts";
import { shownIn } from "./choose-cells.ts";
import { Choice, ClearFilters, SearchBox } from "./controls.tsx";
import { isFiltered, noFilters, type PageState, statusOrder } from "./page-state.ts";
import type { Report } from "./read-report.ts";
import { StatusMark } from "./status-mark.tsx";
import { grouped } from "./values.tsx";

const maxChoices = 500;
const shownFilters = 3;

interface Filter {
  id: string;
  label: string;
  values: readonly string[];
}

/** The filters of the cell table. */
export function CellFilters(props: {
  report: Report;
  state: PageState;
  counts: Readonly<Record<Verdict, number>>;
  onChange: (change: Partial<PageState>) => void;
}) {
  const { report, state, counts, onChange } = props;
  const choices = useMemo(() => makeChoices(report), [report]);
  const change = (chosen: Partial<PageState>) => onChange({ page: 0, ...chosen });
  const { statuses } = state;
  const more = choices.filters.slice(shownFilters);
  const columnChoice = ({ id, label, values }: Filter) => (
    <Choice
      key={id}
      label={label}
      all={`${label}: any`}
      items={values}
      words={values.map((value) => `${label}: ${value}`)}
      chosen={state.columns.get(id) ?? null}
      onChoose={(value) => change({ columns: withColumn(state.columns, id, value) })}
    />
  );
  return (
    <search class="filters">
      <SearchBox
        label="Search results"
        placeholder="Search case, reason, output …"
        text={state.text}
        onText={(text) => change({ text })}
      />
      {choices.suites.length > 1 && (
        <Choice
          label="Suite"
          all="All suites"
          items={choices.suites}
          chosen={state.suite}
          onChoose={(suite) => change({ suite })}
        />
      )}
      {choices.subjects.length > 1 && (
        <Choice
          label="Subject"
          all="All subjects"
          items={choices.subjects}
          chosen={state.subject}
          onChoose={(subject) => change({ subject })}
        />
      )}
      {choices.tags.length > 0 && (
        <Choice
          label="Tag"
          all="All tags"
          items={choices.tags}
          chosen={state.tag}
          onChoose={(tag) => change({ tag })}
        />
      )}
      {choices.filters.slice(0, shownFilters).map(columnChoice)}
      {state.caseId !== null && (
        <Choice
          label="Case"
          all="All cases"
          items={[state.caseId]}
          words={[choices.caseNames.get(state.caseId) ?? state.caseId]}
          chosen={state.caseId}
          onChoose={(caseId) => change({ caseId })}
        />
      )}
      <fieldset class="chips">
        <legend class="unseen">Status</legend>
        {choices.statuses.map((status) => {
          const isOn = statuses.includes(status);
          const others = statuses.filter((other) => other !== status);
          return (
            <button
              key={status}
              type="button"
              class={`chip status-${status}`}
              aria-pressed={isOn}
              disabled={counts[status] === 0 && !isOn}
              onClick={() => change({ statuses: isOn ? others : [...others, status] })}
            >
              <StatusMark status={status} size={13} /> {endWords[status]}{" "}
              <span class="tally">{grouped(counts[status])}</span>
            </button>
          );
        })}
      </fieldset>
      {more.length > 0 && (
        <details class="more" open={more.some(({ id }) => state.columns.has(id))}>
          <summary>More filters</summary>
          <div class="filters">{more.map(columnChoice)}</div>
        </details>
      )}
      {isFiltered(state) && <ClearFilters onClear={() => change({ ...noFilters, open: [] })} />}
    </search>
  );
}

function makeChoices({ suites, subjects, cells }: Report) {
  const found = new Set(cells.map(({ status }) => status));
  return {
    statuses: statusOrder.filter((status) => found.has(status)),
    suites: [...new Set(suites.map(({ id }) => id))],
    subjects: subjects.map(({ name }) => name).slice(0, maxChoices),
    caseNames: new Map(cells.map(({ one }) => [one.id, one.name])),
    tags: [...new Set(cells.flatMap(({ one }) => one.tags))].sort().slice(0, maxChoices),
    filters: makeFilters(suites, cells),
  };
}

/** What cells can be chosen by, with the values there are; what says the same of all of them is left out. */
function makeFilters(suites: Report["suites"], cells: Report["cells"]): Filter[] {
  const columns = new Map<string, string>();
  for (const suite of suites)
    for (const { id, label, isFilter } of suite.columns) if (isFilter === true) columns.set(id, label);
  return [...columns].flatMap(([id, label]) => {
    const found = new Set<string>();
    for (const cell of cells) {
      const value = shownIn(cell, id);
      if (value !== undefined && found.size < maxChoices) found.add(value);
    }
    return found.size < 2 ? [] : [{ id, label, values: [...found].sort() }];
  });
}

function withColumn(
  columns: PageState["columns"],
  id: string,
  value: string | null,
): ReadonlyMap<string, string> {
  const next = new Map(columns);
  if (value === null) next.delete(id);
  else next.set(id, value);
  return next;
}
