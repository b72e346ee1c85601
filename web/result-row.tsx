import { useState } from "preact/hooks";
import type { AgentResult } from "../src/contract/agent-report.ts";
import { type CellKinds, caseName, cellRest, noVerdictWords } from "../src/reporters/agent/cell-words.ts";
import type { ScoreName } from "../src/reporters/agent/dimension-words.ts";
import { agentStandingMarks, agentStandingOf } from "./agent-standing.ts";
import { DimensionMark } from "./dimension-mark.tsx";
import { ExpandButton } from "./expand-button.tsx";
import { ResultDetails } from "./result-details.tsx";
import { StandingCell } from "./standing-cell.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** One cell: how it ended, and a mark for every dimension; opens to all that is kept about it. */
export function ResultRow(props: {
  result: AgentResult;
  names: readonly ScoreName[];
  kinds: CellKinds;
  place: number;
}) {
  const { result, names, kinds, place } = props;
  const [isOpen, setOpen] = useState(false);
  const standing = agentStandingOf(result);
  const mark = agentStandingMarks[standing];
  const rest = cellRest(result, kinds).join(", ");
  const why = whyOf(result);
  const detailsId = `result-${place}`;
  return (
    <>
      <tr class={isOpen ? "cell open" : "cell"}>
        <StandingCell mark={mark} standing={standing} />
        <th scope="row" class="task">
          <ExpandButton
            isOpen={isOpen}
            onToggle={() => setOpen(!isOpen)}
            controls={detailsId}
            text={caseName(result)}
            limit={200}
          />
          {rest !== "" && (
            <span class="which">
              <StrangerText text={rest} limit={120} />
            </span>
          )}
          {why !== "" && (
            <span class="why">
              <StrangerText text={why} limit={300} />
            </span>
          )}
        </th>
        {names.map((name) => {
          const score = result.scores[name];
          return (
            <td
              key={name}
              class={`dimension-column is-${score?.status ?? "not_applicable"}`}
              data-label={name}
            >
              {score !== undefined && <DimensionMark status={score.status} />}
            </td>
          );
        })}
      </tr>
      {isOpen && (
        <tr class="details-row" id={detailsId}>
          <td colSpan={2 + names.length}>
            <ResultDetails result={result} names={names} />
          </td>
        </tr>
      )}
    </>
  );
}

function whyOf(result: AgentResult): string {
  if (result.status === "invalid") return noVerdictWords(result);
  const [first, ...more] = result.failures;
  if (first === undefined) return "";
  return `${first.code}: ${first.message}${more.length === 0 ? "" : ` (and ${more.length} more)`}`;
}
