import type { StoredEvent } from "../../src/contract/telemetry.ts";
import { contextFields } from "../../src/contract/telemetry-fields.ts";
import { readableText } from "../../src/report/text/html-text.ts";
import { FactList, StrangerText } from "../report/values.tsx";
import type { EventChoice } from "./event-choice.ts";
import { fieldWords, timeWords } from "./event-words.ts";

/** All stored fields of one event. Each field of its context links to the events that share it. */
export function EventDetails(props: {
  event: StoredEvent;
  choice: EventChoice;
  onChoice: (choice: EventChoice) => void;
}) {
  const { event, choice, onChoice } = props;
  const present = contextFields.filter((field) => event[field] !== undefined);
  return (
    <div class="details">
      <div class="details-main">
        <Values title="Payload" values={event.payload} />
        {event.extra !== undefined && <Values title="Extra" values={event.extra} />}
      </div>
      <div class="details-side">
        {present.length > 0 && (
          <dl class="facts">
            {present.map((field) => (
              <div key={field}>
                <dt>{fieldWords[field]}</dt>
                <dd>
                  <button
                    type="button"
                    class="link"
                    title="Show only events with this value"
                    onClick={() =>
                      onChoice({ ...choice, context: { ...choice.context, [field]: event[field] } })
                    }
                  >
                    <StrangerText text={event[field] ?? ""} limit={400} />
                  </button>
                </dd>
              </div>
            ))}
          </dl>
        )}
        <FactList
          class="digests"
          facts={[
            [
              "Reported by",
              event.reports > 1 ? `${event.source} (${event.reports} reports in all)` : event.source,
            ],
            ["Received", timeWords(event.received_at)],
            ["Event id", event.event_id],
          ]}
        />
      </div>
    </div>
  );
}

function Values({ title, values }: { title: string; values: object }) {
  return (
    <section class="part">
      <h3>{title}</h3>
      <pre>{readableText(JSON.stringify(values, null, 2))}</pre>
    </section>
  );
}
