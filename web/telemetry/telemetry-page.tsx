import { useEffect, useState } from "preact/hooks";
import { ThemeToggle } from "../report/controls.tsx";
import { grouped } from "../report/values.tsx";
import { askEvents, askSummary, useAnswer } from "./ask-server.ts";
import { choiceParameters, type EventChoice, everyEvent } from "./event-choice.ts";
import { EventFilters } from "./event-filters.tsx";
import { EventTable } from "./event-table.tsx";
import { GroupTable } from "./group-table.tsx";

const followMs = 2000;

/** What happened, the newest first, and how often and how long. */
export function TelemetryPage() {
  const [choice, setChoice] = useState<EventChoice>(everyEvent);
  const [groupBy, setGroupBy] = useState("event_name");
  /** The cursor of each page that was turned; the newest page has none. */
  const [turned, setTurned] = useState<readonly number[]>([]);
  const [isFollowing, setFollowing] = useState(false);
  const [round, setRound] = useState(0);
  const beforeId = turned.at(-1) ?? null;
  const parameters = choiceParameters(choice);
  const query = parameters.toString();
  const events = useAnswer((signal) => askEvents(parameters, beforeId, signal), [query, beforeId, round]);
  const summary = useAnswer((signal) => askSummary(parameters, groupBy, signal), [query, groupBy, round]);
  const names = useAnswer((signal) => askSummary(new URLSearchParams(), "event_name", signal), [round]);

  useEffect(() => {
    if (!isFollowing || beforeId !== null) return;
    const timer = setInterval(() => {
      if (!document.hidden) setRound((before) => before + 1);
    }, followMs);
    return () => clearInterval(timer);
  }, [isFollowing, beforeId]);

  function choose(next: EventChoice): void {
    setChoice(next);
    setTurned([]);
  }

  const problem = events.problem ?? summary.problem ?? names.problem;
  const groups = summary.value?.groups ?? [];
  const total = (count: "count" | "errors") => groups.reduce((sum, group) => sum + group[count], 0);
  const isWhole = groups.length === summary.value?.total_groups;
  return (
    <>
      <header class="verdict">
        <div class="eyebrow">
          <span>eval-skills telemetry</span>
          <ThemeToggle />
        </div>
        <h1>Events</h1>
        {summary.value !== null && isWhole && (
          <p class="lead">
            <strong>{grouped(total("count"))}</strong> {total("count") === 1 ? "event" : "events"}
            {total("errors") > 0 && `, ${grouped(total("errors"))} with errors`}
          </p>
        )}
      </header>
      <main>
        {problem !== null && (
          <p class="fault" role="alert">
            {problem}
          </p>
        )}
        {events.value?.enabled === false && (
          <p class="fault">Telemetry is off: the server accepts events and stores none.</p>
        )}
        <GroupTable
          summary={summary.value}
          groupBy={groupBy}
          onGroupBy={setGroupBy}
          choice={choice}
          onChoice={choose}
        />
        <section aria-labelledby="events-title" aria-busy={events.isAsking}>
          <h2 id="events-title">Events, newest first</h2>
          <EventFilters
            names={(names.value?.groups ?? []).map(({ group }) => group.event_name ?? "")}
            choice={choice}
            onChoice={choose}
          >
            <button type="button" class="quiet" onClick={() => setRound(round + 1)}>
              Refresh
            </button>
            <button
              type="button"
              class="quiet toggle"
              aria-pressed={isFollowing}
              onClick={() => setFollowing(!isFollowing)}
            >
              Follow
            </button>
          </EventFilters>
          <EventTable
            page={events.value}
            choice={choice}
            onChoice={choose}
            turned={turned}
            onTurn={setTurned}
          />
        </section>
      </main>
      <footer>
        Times are UTC. Durations are as reported by the events. Filters match whole values.{" "}
        <span class="mono">eval-skills telemetry query</span> shows the same without a server.
      </footer>
    </>
  );
}
