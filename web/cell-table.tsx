import { useMemo } from "preact/hooks";
import type { SkillName, TaskFacts } from "../src/contract/report.ts";
import { CellFilters } from "./cell-filters.tsx";
import { CellRow } from "./cell-row.tsx";
import { type CellQuery, chooseCells } from "./choose-cells.ts";
import { describeShown } from "./describe-shown.ts";
import { Pager } from "./pager.tsx";
import type { SkillCell } from "./skill-cell.ts";
import { SortHeader } from "./sort-header.tsx";
import { usePage } from "./use-page.ts";

const words = { one: "result", many: "results" };

/** Every cell of the run, a page at a time; sorts and filters without asking anyone. */
export function CellTable(props: {
  cells: readonly SkillCell[];
  tasks: ReadonlyMap<string, TaskFacts>;
  skills: readonly SkillName[];
  hasTrials: boolean;
  query: CellQuery;
  onQuery: (query: CellQuery) => void;
  isPrinting: boolean;
}) {
  const { cells, tasks, skills, hasTrials, query, onQuery, isPrinting } = props;
  const { places, counts } = useMemo(() => chooseCells(cells, query), [cells, query]);
  const { shown, first, page, pages, turnTo } = usePage(query, places, isPrinting);
  const header = { order: query.order, onOrder: (order: CellQuery["order"]) => onQuery({ ...query, order }) };
  const hasSkills = skills.length > 1;
  return (
    <section id="results" aria-labelledby="results-title">
      <h2 id="results-title">Results</h2>
      <CellFilters cells={cells} skills={skills} counts={counts} query={query} onQuery={onQuery} />
      <p class="showing" role="status">
        {describeShown({ first, shown: shown.length, found: places.length, all: cells.length }, words)}
      </p>
      <table class="cells">
        <caption class="unseen">Results, one row per task and trial</caption>
        <thead>
          <tr>
            <SortHeader column="status" class="status-column" {...header}>
              Status
            </SortHeader>
            <SortHeader column="task" {...header}>
              Task
            </SortHeader>
            {hasSkills && (
              <SortHeader column="skill" class="skill-column" {...header}>
                Skill
              </SortHeader>
            )}
            {hasTrials && (
              <SortHeader column="trial" class="number" {...header}>
                Trial
              </SortHeader>
            )}
            <SortHeader column="score" class="number" {...header}>
              Score
            </SortHeader>
            <SortHeader column="latency" class="number" largestFirst {...header}>
              Latency
            </SortHeader>
          </tr>
        </thead>
        <tbody>
          {shown.map((place) => {
            const cell = cells[place] as SkillCell;
            return (
              <CellRow
                key={place}
                cell={cell}
                task={tasks.get(cell.taskId)}
                place={place}
                hasSkills={hasSkills}
                hasTrials={hasTrials}
              />
            );
          })}
        </tbody>
      </table>
      {places.length === 0 && <p class="empty">No result fits these filters.</p>}
      {!isPrinting && pages > 1 && <Pager page={page} pages={pages} onPage={turnTo} />}
    </section>
  );
}
