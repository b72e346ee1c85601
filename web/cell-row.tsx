import { useState } from "preact/hooks";
import type { TaskFacts } from "../src/contract/report.ts";
import { describeOutcome } from "../src/reporters/describe-outcome.ts";
import { fraction, milliseconds } from "../src/reporters/format-numbers.ts";
import { CellDetails } from "./cell-details.tsx";
import { Figure } from "./figure.tsx";
import type { SkillCell } from "./skill-cell.ts";
import { StatusMark } from "./status-mark.tsx";
import { StrangerText } from "./stranger-text.tsx";

/** One cell: how it ended and why; opens to all that is kept about it. */
export function CellRow(props: {
  cell: SkillCell;
  task: TaskFacts | undefined;
  place: number;
  hasSkills: boolean;
  hasTrials: boolean;
}) {
  const { cell, task, place, hasSkills, hasTrials } = props;
  const [isOpen, setOpen] = useState(false);
  const why = describeOutcome(cell);
  const detailsId = `cell-${place}`;
  return (
    <>
      <tr class={isOpen ? "cell open" : "cell"}>
        <td class={`status status-${cell.status}`}>
          <StatusMark status={cell.status} />
          <span class="word">{cell.status}</span>
        </td>
        <th scope="row" class="task">
          <button
            type="button"
            class="expand"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setOpen(!isOpen)}
          >
            <StrangerText text={cell.taskId} limit={200} />
          </button>
          {(hasSkills || hasTrials) && (
            <span class="whose">
              {hasSkills && <StrangerText text={cell.skillId} limit={60} />}
              {hasSkills && hasTrials && ", "}
              {hasTrials && `trial ${cell.trial}`}
            </span>
          )}
          {why !== "" && (
            <span class="why">
              <StrangerText text={why} limit={240} />
            </span>
          )}
        </th>
        {hasSkills && (
          <td class="skill-column">
            <StrangerText text={cell.skillId} limit={60} />
          </td>
        )}
        {hasTrials && <td class="number">{cell.trial}</td>}
        <Figure label="Score" text={fraction(cell.score)} why="invalid: no verdict" />
        <td class="number">{milliseconds(cell.latencyMs)}</td>
      </tr>
      {isOpen && (
        <tr class="details-row" id={detailsId}>
          <td colSpan={4 + Number(hasSkills) + Number(hasTrials)}>
            <CellDetails cell={cell} task={task} />
          </td>
        </tr>
      )}
    </>
  );
}
