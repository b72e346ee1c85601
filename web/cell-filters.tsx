import { useMemo } from "preact/hooks";
import type { SkillName } from "../src/contract/diff.ts";
import type { CellResult } from "../src/contract/result.ts";
import { Choice } from "./choice.tsx";
import { type CellQuery, type ChosenCells, everyCell } from "./choose-cells.ts";
import { frequentTags } from "./frequent-tags.ts";
import { SearchBox } from "./search-box.tsx";
import { isSameSkill, skillLabels } from "./skill-cell.ts";
import { StatusChips } from "./status-chips.tsx";
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
  return (
    <search class="filters">
      <SearchBox
        label="Search task, skill, tag, reason, error and output"
        placeholder="Search task, reason, output …"
        text={query.text}
        onText={(text) => onQuery({ ...query, text })}
      />
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
      <StatusChips
        legend="Status"
        chips={statusOrder.map((status) => ({ word: status, mark: status, count: counts[status] }))}
        pressed={query.statuses}
        onPress={(statuses) => onQuery({ ...query, statuses })}
      />
      {isFiltered && (
        <button type="button" class="quiet" onClick={() => onQuery({ ...everyCell, order: query.order })}>
          Clear filters
        </button>
      )}
    </search>
  );
}
