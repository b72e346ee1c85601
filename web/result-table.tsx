import { useMemo } from "preact/hooks";
import type { AgentResult } from "../src/contract/agent-report.ts";
import type { CellKinds } from "../src/reporters/agent/cell-words.ts";
import type { ScoreName } from "../src/reporters/agent/dimension-words.ts";
import { chooseResults, type ResultChoice, type ResultColumn } from "./choose-results.ts";
import { describeShown } from "./describe-shown.ts";
import { DimensionLegend } from "./dimension-mark.tsx";
import { Pager } from "./pager.tsx";
import { ResultFilters } from "./result-filters.tsx";
import { ResultRow } from "./result-row.tsx";
import { SortHeader, type SortOrder } from "./sort-header.tsx";
import { usePage } from "./use-page.ts";

const words = { one: "cell", many: "cells" };

/** Cells by dimensions, a page at a time; sorts and filters without asking anyone. */
export function ResultTable(props: {
  results: readonly AgentResult[];
  names: readonly ScoreName[];
  kinds: CellKinds;
  choice: ResultChoice;
  onChoice: (choice: ResultChoice) => void;
  isPrinting: boolean;
}) {
  const { results, names, kinds, choice, onChoice, isPrinting } = props;
  const { places, counts } = useMemo(() => chooseResults(results, choice), [results, choice]);
  const { shown, first, page, pages, turnTo } = usePage(choice, places, isPrinting);
  const header = {
    order: choice.order,
    onOrder: (order: SortOrder<ResultColumn>) => onChoice({ ...choice, order }),
  };
  return (
    <>
      <ResultFilters results={results} names={names} counts={counts} choice={choice} onChoice={onChoice} />
      <p class="showing" role="status">
        {describeShown({ first, shown: shown.length, found: places.length, all: results.length }, words)}
      </p>
      <DimensionLegend />
      <table class="cells agents">
        <caption class="unseen">Cells, one row each, by dimension</caption>
        <thead>
          <tr>
            <SortHeader column="status" class="status-column" {...header}>
              Verdict
            </SortHeader>
            <SortHeader column="case" {...header}>
              Case
            </SortHeader>
            {names.map((name) => (
              <SortHeader key={name} column={name} class="dimension-column" {...header}>
                {name}
              </SortHeader>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((place) => (
            <ResultRow
              key={place}
              result={results[place] as AgentResult}
              names={names}
              kinds={kinds}
              place={place}
            />
          ))}
        </tbody>
      </table>
      {places.length === 0 && <p class="empty">No cell fits these filters.</p>}
      {!isPrinting && pages > 1 && <Pager page={page} pages={pages} onPage={turnTo} of="cells" />}
    </>
  );
}
