import { useState } from "preact/hooks";
import type { PlanReport, PlanResult } from "../src/contract/planbench-report.ts";
import { milliseconds } from "../src/reporters/format-numbers.ts";
import { whyNotOk } from "../src/reporters/planbench/sample-words.ts";
import { ExpandButton } from "./expand-button.tsx";
import { Figure } from "./figure.tsx";
import { grouped } from "./grouped.ts";
import { SampleDetails } from "./sample-details.tsx";
import { sampleStandingMarks, sampleStandingOf } from "./sample-standing.ts";
import { StandingCell } from "./standing-cell.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** One sample: how it ended, after how many repairs and how long; opens to its attempts. */
export function SampleRow(props: {
  result: PlanResult;
  report: Pick<PlanReport, "run" | "summary">;
  hasTokens: boolean;
  place: number;
}) {
  const { result, report, hasTokens, place } = props;
  const [isOpen, setOpen] = useState(false);
  const standing = sampleStandingOf(result);
  const mark = sampleStandingMarks[standing];
  const [why, ...more] = whyNotOk(result);
  const which = [
    ...(report.summary.length > 1 ? [result.route] : []),
    ...(report.run.samples > 1 ? [`sample ${result.sample}`] : []),
    ...(result.host === null ? [] : [result.host]),
  ].join(", ");
  const detailsId = `sample-${place}`;
  return (
    <>
      <tr class={isOpen ? "cell open" : "cell"}>
        <StandingCell mark={mark} standing={standing} />
        <th scope="row" class="task">
          <ExpandButton
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
            controls={detailsId}
            text={result.caseId}
            limit={200}
          />
          {which !== "" && (
            <span class="which">
              <StrangerText text={which} limit={120} />
            </span>
          )}
          {why !== undefined && (
            <span class="why">
              <StrangerText
                text={`${why}${more.length === 0 ? "" : ` (and ${more.length} more)`}`}
                limit={300}
              />
            </span>
          )}
        </th>
        <Figure
          label="Repairs"
          text={result.repairs === null ? "–" : String(result.repairs)}
          why="it did not become ok"
        />
        {hasTokens && (
          <Figure
            label="Tokens"
            text={result.tokens === null ? "–" : grouped(result.tokens.total)}
            why="not every attempt told"
          />
        )}
        <td class="number">{milliseconds(result.ms)}</td>
      </tr>
      {isOpen && (
        <tr class="details-row" id={detailsId}>
          <td colSpan={4 + Number(hasTokens)}>
            <SampleDetails result={result} />
          </td>
        </tr>
      )}
    </>
  );
}
