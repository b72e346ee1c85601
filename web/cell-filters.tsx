import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { shorten } from "../src/base/visible-text.ts";
import type { SkillName } from "../src/contract/diff.ts";
import type { CellResult } from "../src/contract/result.ts";
import type { Verdict } from "../src/contract/verdict.ts";
import { readableText } from "../src/reporters/html-text.ts";
import { type CellQuery, type ChosenCells, everyCell } from "./choose-cells.ts";
import { frequentTags } from "./frequent-tags.ts";
import { grouped } from "./grouped.ts";
import { isSameSkill, skillLabels } from "./skill-cell.ts";
import { StatusMark } from "./status-mark.tsx";
import { statusOrder } from "./status-order.ts";

const tagLimit = 500;

/** Where the reader says which cells to show. */
export function CellFilters(props: {
  cells: readonly CellResult[];
  skills: readonly SkillName[];
  counts: ChosenCells["counts"];
  query: CellQuery;
  onQuery: (query: CellQuery) => void;
}) {
  const { cells, skills, counts, query, onQuery } = props;
  const tags = useMemo(() => frequentTags(cells, tagLimit), [cells]);
  const names = useMemo(() => skillLabels(skills), [skills]);
  const { skill: chosen, tag } = query;
  const isFiltered =
    query.text !== "" || query.statuses.length > 0 || query.skill !== null || query.tag !== null;

  function toggle(status: Verdict): void {
    const others = query.statuses.filter((chosen) => chosen !== status);
    const isOn = others.length < query.statuses.length;
    onQuery({ ...query, statuses: isOn ? others : [...others, status] });
  }

  return (
    <search class="filters">
      <SearchBox text={query.text} onText={(text) => onQuery({ ...query, text })} />
      {skills.length > 1 && (
        <Choice
          label="Skill"
          all="All skills"
          options={names}
          chosen={chosen === null ? null : skills.findIndex((skill) => isSameSkill(skill, chosen))}
          onChoose={(place) => onQuery({ ...query, skill: place === null ? null : (skills[place] ?? null) })}
        />
      )}
      {tags.length > 0 && (
        <Choice
          label="Tag"
          all="All tags"
          options={tags}
          chosen={tag === null ? null : tags.indexOf(tag)}
          onChoose={(place) => onQuery({ ...query, tag: place === null ? null : (tags[place] ?? null) })}
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
  chosen: number | null;
  onChoose: (place: number | null) => void;
}) {
  const { label, all, options, chosen, onChoose } = props;
  return (
    <label>
      <span class="unseen">{label}</span>
      <select
        value={chosen === null ? "" : String(chosen)}
        onChange={({ currentTarget: { value } }) => onChoose(value === "" ? null : Number(value))}
      >
        <option value="">{all}</option>
        {options.map((option, place) => (
          <option key={place} value={String(place)}>
            {readableText(shorten(option, 60))}
          </option>
        ))}
      </select>
    </label>
  );
}
