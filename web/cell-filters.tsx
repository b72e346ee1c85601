import { useMemo } from "preact/hooks";
import type { SkillName } from "../src/contract/report.ts";
import type { TaskResult } from "../src/contract/task-result.ts";
import { Choice } from "./choice.tsx";
import { type CellQuery, type ChosenCells, everyCell } from "./choose-cells.ts";
import { FilterBar } from "./filter-bar.tsx";
import { isSameSkill, skillLabels } from "./skill-cell.ts";
import { statusOrder } from "./status-order.ts";
import { TagChoice } from "./tag-choice.tsx";

/** Where the reader says which cells to show. */
export function CellFilters(props: {
  cells: readonly TaskResult[];
  skills: readonly SkillName[];
  counts: ChosenCells["counts"];
  query: CellQuery;
  onQuery: (query: CellQuery) => void;
}) {
  const { cells, skills, counts, query, onQuery } = props;
  const names = useMemo(() => skillLabels(skills), [skills]);
  const { skill: chosen, tag } = query;
  return (
    <FilterBar
      label="Search task, skill, tag, reason, error and output"
      placeholder="Search task, reason, output …"
      text={query.text}
      onText={(text) => onQuery({ ...query, text })}
      legend="Status"
      chips={statusOrder.map((status) => ({ word: status, mark: status, count: counts[status] }))}
      pressed={query.statuses}
      onPress={(statuses) => onQuery({ ...query, statuses })}
      chosen={[chosen, tag]}
      onClear={() => onQuery({ ...everyCell, order: query.order })}
    >
      {skills.length > 1 && (
        <Choice
          label="Skill"
          all="All skills"
          options={names}
          chosen={chosen === null ? null : skills.findIndex((skill) => isSameSkill(skill, chosen))}
          onChoose={(place) => onQuery({ ...query, skill: place === null ? null : (skills[place] ?? null) })}
        />
      )}
      <TagChoice rows={cells} chosen={tag} onChoose={(tag) => onQuery({ ...query, tag })} />
    </FilterBar>
  );
}
