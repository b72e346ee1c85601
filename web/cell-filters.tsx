import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { shorten } from "../src/base/visible-text.ts";
import type { CellResult } from "../src/contract/result.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { readableText } from "../src/reporters/html-text.ts";
import { type CellQuery, type ChosenCells, everyCell } from "./choose-cells.ts";
import { frequentTags } from "./frequent-tags.ts";
import { grouped } from "./grouped.ts";
import { StatusMark } from "./status-mark.tsx";
import { statusOrder } from "./status-order.ts";

const tagLimit = 500;

/** Where the reader says which cells to show. */
export function CellFilters(props: {
  cells: readonly CellResult[];
  skillIds: readonly string[];
  counts: ChosenCells["counts"];
  query: CellQuery;
  onQuery: (query: CellQuery) => void;
}) {
  const { cells, skillIds, counts, query, onQuery } = props;
  const tags = useMemo(() => frequentTags(cells, tagLimit), [cells]);
  const isFiltered =
    query.text !== "" || query.statuses.length > 0 || query.skillId !== null || query.tag !== null;

  function toggle(status: Verdict): void {
    const others = query.statuses.filter((chosen) => chosen !== status);
    const isOn = others.length < query.statuses.length;
    onQuery({ ...query, statuses: isOn ? others : [...others, status] });
  }

  return (
    <search class="filters">
      <SearchBox text={query.text} onText={(text) => onQuery({ ...query, text })} />
      {skillIds.length > 1 && (
        <Choice
          label="Skill"
          all="All skills"
          options={skillIds}
          chosen={query.skillId}
          onChoose={(skillId) => onQuery({ ...query, skillId })}
        />
      )}
      {tags.length > 0 && (
        <Choice
          label="Tag"
          all="All tags"
          options={tags}
          chosen={query.tag}
          onChoose={(tag) => onQuery({ ...query, tag })}
        />
      )}
      <fieldset class="chips">
        <legend class="unseen">Status</legend>
        {statusOrder.map((status) => (
          <button
            key={status}
            type="button"
            class={`chip status-${status}`}
            aria-pressed={query.statuses.includes(status)}
            disabled={counts[status] === 0 && !query.statuses.includes(status)}
            onClick={() => toggle(status)}
          >
            <StatusMark status={status} size={13} /> {status}{" "}
            <span class="tally">{grouped(counts[status])}</span>
          </button>
        ))}
      </fieldset>
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onQuery({ ...everyCell, order: query.order })}>
          Clear filters
        </button>
      )}
    </search>
  );
}

const pauseMs = 120;

/** Searches once the reader pauses, so that typing stays fluid over many cells. */
function SearchBox({ text, onText }: { text: string; onText: (text: string) => void }) {
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
      <span class="unseen">Search task, skill, tag, reason, error and output</span>
      <input
        type="search"
        placeholder="Search task, reason, output …"
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </label>
  );
}

/** A choice among texts that others wrote; options go by place, since any text may be one of them. */
function Choice(props: {
  label: string;
  all: string;
  options: readonly string[];
  chosen: string | null;
  onChoose: (option: string | null) => void;
}) {
  const { label, all, options, chosen, onChoose } = props;
  return (
    <label>
      <span class="unseen">{label}</span>
      <select
        value={chosen === null ? "" : String(options.indexOf(chosen))}
        onChange={({ currentTarget: { value } }) =>
          onChoose(value === "" ? null : (options[Number(value)] ?? null))
        }
      >
        <option value="">{all}</option>
        {options.map((option, place) => (
          <option key={option} value={String(place)}>
            {readableText(shorten(option, 60))}
          </option>
        ))}
      </select>
    </label>
  );
}
