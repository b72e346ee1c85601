import { useMemo } from "preact/hooks";
import { chooseQueries, type QueryChoice, type QueryColumn } from "./choose-queries.ts";
import { describeShown } from "./describe-shown.ts";
import { Pager } from "./pager.tsx";
import { QueryFilters } from "./query-filters.tsx";
import { QueryRow } from "./query-row.tsx";
import { Scale } from "./scale.tsx";
import type { ShownQuery } from "./shown-query.ts";
import { SortHeader, type SortOrder } from "./sort-header.tsx";
import { usePage } from "./use-page.ts";

const words = { one: "query", many: "queries" };

/** Queries with their verdicts, a page at a time; sorts and filters without asking anyone. */
export function QueryTable(props: {
  queries: readonly ShownQuery[];
  choice: QueryChoice;
  onChoice: (choice: QueryChoice) => void;
  isPrinting: boolean;
}) {
  const { queries, choice, onChoice, isPrinting } = props;
  const skillIds = useMemo(() => [...new Set(queries.map(({ skillId }) => skillId))], [queries]);
  const { places, counts } = useMemo(() => chooseQueries(queries, choice), [queries, choice]);
  const { shown, first, page, pages, turnTo } = usePage(choice, places, isPrinting);
  const header = {
    order: choice.order,
    onOrder: (order: SortOrder<QueryColumn>) => onChoice({ ...choice, order }),
  };
  const hasSkills = skillIds.length > 1;
  // Of one answer nothing can be drawn.
  const hasIntervals = queries.some(({ unreplicated }) => !unreplicated);
  return (
    <>
      <QueryFilters
        queries={queries}
        skillIds={skillIds}
        counts={counts}
        choice={choice}
        onChoice={onChoice}
      />
      <p class="showing" role="status">
        {describeShown({ first, shown: shown.length, found: places.length, all: queries.length }, words)}
      </p>
      <table class="cells queries">
        <caption class="unseen">Queries, one row each</caption>
        <thead>
          <tr>
            <SortHeader column="verdict" class="status-column" {...header}>
              Verdict
            </SortHeader>
            <SortHeader column="query" {...header}>
              Query
            </SortHeader>
            {hasSkills && (
              <SortHeader column="skill" class="skill-column" {...header}>
                Skill
              </SortHeader>
            )}
            <SortHeader column="side" class="side-column" {...header}>
              Side
            </SortHeader>
            <SortHeader
              column="rate"
              class={hasIntervals ? "yes-column" : "number"}
              under={hasIntervals && <Scale />}
              largestFirst
              {...header}
            >
              Yes
            </SortHeader>
          </tr>
        </thead>
        <tbody>
          {shown.map((place) => (
            <QueryRow
              key={place}
              query={queries[place] as ShownQuery}
              place={place}
              hasSkills={hasSkills}
              hasIntervals={hasIntervals}
            />
          ))}
        </tbody>
      </table>
      {places.length === 0 && <p class="empty">No query fits these filters.</p>}
      {!isPrinting && pages > 1 && <Pager page={page} pages={pages} onPage={turnTo} of="queries" />}
    </>
  );
}
