import { grouped } from "../report/values.tsx";
import type { EventPage } from "./ask-server.ts";
import type { EventChoice } from "./event-choice.ts";
import { EventRow } from "./event-row.tsx";

/** Events, a page at a time. */
export function EventTable(props: {
  page: EventPage | null;
  choice: EventChoice;
  onChoice: (choice: EventChoice) => void;
  /** The cursor of each page that was turned. */
  turned: readonly number[];
  onTurn: (turned: readonly number[]) => void;
}) {
  const { page, choice, onChoice, turned, onTurn } = props;
  if (page === null) return <p class="empty">Loading …</p>;
  const { events, next_before_id: next } = page;
  const hasOlder = next !== null;
  return (
    <>
      <p class="showing" role="status">
        {grouped(events.length)} {events.length === 1 ? "event" : "events"}
        {turned.length > 0 && `, page ${grouped(turned.length + 1)}`}
        {hasOlder && ", and older ones"}
      </p>
      <table class="cells events">
        <caption class="unseen">Events, newest first</caption>
        <thead>
          <tr>
            <th scope="col" class="time-column">
              Time (UTC)
            </th>
            <th scope="col">Event</th>
            <th scope="col" class="skill-column">
              Subject
            </th>
            <th scope="col" class="end-column">
              Outcome
            </th>
            <th scope="col" class="number">
              Duration
            </th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <EventRow key={event.id} event={event} choice={choice} onChoice={onChoice} />
          ))}
        </tbody>
      </table>
      {events.length === 0 && <p class="empty">No events match these filters.</p>}
      {(hasOlder || turned.length > 0) && (
        <nav class="pager" aria-label="Pages of events">
          <button type="button" disabled={turned.length === 0} onClick={() => onTurn([])}>
            Newest
          </button>
          <button type="button" disabled={turned.length === 0} onClick={() => onTurn(turned.slice(0, -1))}>
            Newer
          </button>
          <button
            type="button"
            disabled={!hasOlder}
            onClick={() => next !== null && onTurn([...turned, next])}
          >
            Older
          </button>
        </nav>
      )}
    </>
  );
}
