import { useState } from "preact/hooks";
import { standingOf } from "../src/reporters/describe-query.ts";
import { ExpandButton } from "./expand-button.tsx";
import { IntervalPlot } from "./interval-plot.tsx";
import { QueryDetails } from "./query-details.tsx";
import { whyOf } from "./query-words.ts";
import { type ShownQuery, standingMarks } from "./shown-query.ts";
import { StandingCell } from "./standing-cell.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** One query: how it ended and why; opens to every answer that is kept. */
export function QueryRow(props: {
  query: ShownQuery;
  place: number;
  hasSkills: boolean;
  hasIntervals: boolean;
}) {
  const { query, place, hasSkills, hasIntervals } = props;
  const [isOpen, setOpen] = useState(false);
  const standing = standingOf(query);
  const mark = standingMarks[standing];
  const detailsId = `query-${place}`;
  return (
    <>
      <tr class={isOpen ? "cell open" : "cell"}>
        <StandingCell mark={mark} standing={standing} />
        <th scope="row" class="task">
          <ExpandButton
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
            controls={detailsId}
            text={query.query}
            limit={400}
          />
          <span class="whose">
            {hasSkills && <StrangerText text={query.skillId} limit={60} />}
            {hasSkills && ", "}
            {query.side}
          </span>
          <span class="why">
            <StrangerText text={whyOf(query)} limit={300} />
          </span>
        </th>
        {hasSkills && (
          <td class="skill-column">
            <StrangerText text={query.skillId} limit={60} />
          </td>
        )}
        <td class="side-column">{query.side}</td>
        {hasIntervals ? (
          <td class="yes-column">
            <Drawn query={query} />
            <Answers query={query} />
          </td>
        ) : (
          <td class="number">
            <Answers query={query} />
          </td>
        )}
      </tr>
      {isOpen && (
        <tr class="details-row" id={detailsId}>
          <td colSpan={4 + Number(hasSkills)}>
            <QueryDetails query={query} />
          </td>
        </tr>
      )}
    </>
  );
}

/** One answer decides by itself; an interval drawn around it would say that it cannot. */
function Drawn({ query: { rate, interval, threshold = 0, unreplicated } }: { query: ShownQuery }) {
  if (rate === null || unreplicated) return null;
  const bounds = interval && { lower: interval[0], upper: interval[1] };
  return <IntervalPlot rate={rate} interval={bounds} gate={threshold} isBelow={false} />;
}

function Answers({ query: { yes, no, flips, unreplicated } }: { query: ShownQuery }) {
  const valid = yes + no;
  if (valid === 0) return <span class="unknown">no answer</span>;
  return (
    <span class="answers">
      {unreplicated ? (yes > 0 ? "yes" : "no") : `${yes} of ${valid}`}
      {flips && <span class="badge">flips</span>}
    </span>
  );
}
