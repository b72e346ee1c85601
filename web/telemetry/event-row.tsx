import { useState } from "preact/hooks";
import type { StoredEvent } from "../../src/contract/telemetry.ts";
import { milliseconds } from "../../src/report/text/format-numbers.ts";
import { StatusMark } from "../report/status-mark.tsx";
import { Figure, StrangerText } from "../report/values.tsx";
import type { EventChoice } from "./event-choice.ts";
import { EventDetails } from "./event-details.tsx";
import { describeSubject, eventDurationMs, eventEnd, timeWords } from "./event-words.ts";

/** One event; opens to all its stored fields. */
export function EventRow(props: {
  event: StoredEvent;
  choice: EventChoice;
  onChoice: (choice: EventChoice) => void;
}) {
  const { event, choice, onChoice } = props;
  const [isOpen, setOpen] = useState(false);
  const end = eventEnd(event);
  const subject = describeSubject(event);
  const detailsId = `event-${event.id}`;
  return (
    <>
      <tr class={isOpen ? "cell open" : "cell"}>
        <td class="time-column">{timeWords(event.ts)}</td>
        <th scope="row" class="task">
          <button
            type="button"
            class="expand"
            aria-expanded={isOpen}
            aria-controls={detailsId}
            onClick={() => setOpen(!isOpen)}
          >
            <StrangerText text={event.event_name} limit={160} />
          </button>
          <span class="whose">
            <StrangerText text={subject} limit={160} />
          </span>
        </th>
        <td class="skill-column">
          <StrangerText text={subject} limit={160} />
        </td>
        <td class={`end-column status-${end?.mark ?? "none"}`}>
          {end !== null && (
            <>
              {end.mark !== null && <StatusMark status={end.mark} size={13} />}{" "}
              <StrangerText text={end.word} limit={40} />
            </>
          )}
        </td>
        <Figure
          label="Duration"
          text={milliseconds(eventDurationMs(event))}
          why="the event has no duration"
        />
      </tr>
      {isOpen && (
        <tr class="details-row" id={detailsId}>
          <td colSpan={5}>
            <EventDetails event={event} choice={choice} onChoice={onChoice} />
          </td>
        </tr>
      )}
    </>
  );
}
