import { useMemo } from "preact/hooks";
import type { PlanReportFile, PlanResult } from "../src/contract/planbench-report.ts";
import type { StratumOverview } from "../src/reporters/planbench/plan-overview.ts";
import { chooseSamples, type SampleChoice, type SampleColumn } from "./choose-samples.ts";
import { describeShown } from "./describe-shown.ts";
import { Pager } from "./pager.tsx";
import { SampleFilters } from "./sample-filters.tsx";
import { SampleRow } from "./sample-row.tsx";
import { SortHeader, type SortOrder } from "./sort-header.tsx";
import { usePage } from "./use-page.ts";

const words = { one: "sample", many: "samples" };

/** Every sample of the bench, a page at a time; sorts and filters without asking anyone. */
export function SampleTable(props: {
  report: PlanReportFile;
  overviews: readonly StratumOverview[];
  choice: SampleChoice;
  onChoice: (choice: SampleChoice) => void;
  isPrinting: boolean;
}) {
  const { report, overviews, choice, onChoice, isPrinting } = props;
  const { results } = report;
  const { places, counts } = useMemo(() => chooseSamples(results, choice), [results, choice]);
  const { shown, first, page, pages, turnTo } = usePage(choice, places, isPrinting);
  const hasTokens = useMemo(() => results.some(({ tokens }) => tokens !== null), [results]);
  const header = {
    order: choice.order,
    onOrder: (order: SortOrder<SampleColumn>) => onChoice({ ...choice, order }),
  };
  return (
    <>
      <SampleFilters
        results={results}
        overviews={overviews}
        counts={counts}
        choice={choice}
        onChoice={onChoice}
      />
      <p class="showing" role="status">
        {describeShown({ first, shown: shown.length, found: places.length, all: results.length }, words)}
      </p>
      <table class="cells samples">
        <caption class="unseen">Samples, one row each</caption>
        <thead>
          <tr>
            <SortHeader column="standing" class="status-column" {...header}>
              Outcome
            </SortHeader>
            <SortHeader column="case" {...header}>
              Case
            </SortHeader>
            <SortHeader column="repairs" class="number" largestFirst {...header}>
              Repairs
            </SortHeader>
            {hasTokens && (
              <SortHeader column="tokens" class="number" largestFirst {...header}>
                Tokens
              </SortHeader>
            )}
            <SortHeader column="time" class="number" largestFirst {...header}>
              Time
            </SortHeader>
          </tr>
        </thead>
        <tbody>
          {shown.map((place) => (
            <SampleRow
              key={place}
              result={results[place] as PlanResult}
              report={report}
              hasTokens={hasTokens}
              place={place}
            />
          ))}
        </tbody>
      </table>
      {places.length === 0 && <p class="empty">No sample fits these filters.</p>}
      {!isPrinting && pages > 1 && <Pager page={page} pages={pages} onPage={turnTo} of="samples" />}
    </>
  );
}
