import { useState } from "preact/hooks";
import type { ContextField, TelemetryGroup } from "../../src/contract/telemetry.ts";
import { groupFields } from "../../src/contract/telemetry-fields.ts";
import { milliseconds } from "../../src/report/text/format-numbers.ts";
import { Figure, grouped, StrangerText } from "../report/values.tsx";
import type { Summary } from "./ask-server.ts";
import type { EventChoice } from "./event-choice.ts";
import { fieldWords } from "./event-words.ts";

const shownAtFirst = 10;
const noTime = "no event has a duration";

/** How often, how many errors, how long: by what the reader groups by. */
export function GroupTable(props: {
  summary: Summary | null;
  groupBy: string;
  onGroupBy: (field: string) => void;
  choice: EventChoice;
  onChoice: (choice: EventChoice) => void;
}) {
  const { summary, groupBy, onGroupBy, choice, onChoice } = props;
  const [isWhole, setWhole] = useState(false);
  const groups = summary?.groups ?? [];
  const shown = isWhole ? groups : groups.slice(0, shownAtFirst);

  function show(value: string): void {
    if (groupBy === "event_name") onChoice({ ...choice, eventName: value });
    else onChoice({ ...choice, context: { ...choice.context, [groupBy]: value } });
  }

  return (
    <section aria-labelledby="summary-title">
      <div class="beside">
        <h2 id="summary-title">Summary</h2>
        <label class="filters">
          <span>by</span>
          <select
            aria-label="Group by"
            value={groupBy}
            onChange={({ currentTarget }) => onGroupBy(currentTarget.value)}
          >
            {groupFields.map((field) => (
              <option key={field} value={field}>
                {groupWord(field)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <table class="groups">
        <caption class="unseen">Events by {groupWord(groupBy)}</caption>
        <thead>
          <tr>
            <th scope="col">{groupWord(groupBy)}</th>
            <th scope="col" class="number">
              Events
            </th>
            <th scope="col" class="number">
              Errors
            </th>
            <th scope="col" class="number">
              p50
            </th>
            <th scope="col" class="number">
              p95
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((group, index) => (
            <GroupRow key={index} group={group} field={groupBy} onShow={groupBy === "source" ? null : show} />
          ))}
        </tbody>
      </table>
      {summary !== null && groups.length === 0 && <p class="empty">No events match.</p>}
      {shown.length < groups.length && (
        <button type="button" class="quiet" onClick={() => setWhole(true)}>
          Show all {grouped(groups.length)}
        </button>
      )}
      {summary !== null && isWhole && summary.total_groups > groups.length && (
        <p class="note">
          The {grouped(groups.length)} largest of {grouped(summary.total_groups)} groups.
        </p>
      )}
    </section>
  );
}

function GroupRow(props: { group: TelemetryGroup; field: string; onShow: ((value: string) => void) | null }) {
  const { group, field, onShow } = props;
  const value = group.group[field] ?? null;
  return (
    <tr>
      <th scope="row">
        {value === null && <span class="unknown">– not set</span>}
        {value !== null && onShow === null && <StrangerText text={value} limit={160} />}
        {value !== null && onShow !== null && (
          <button type="button" class="link" title="Show these events" onClick={() => onShow(value)}>
            <StrangerText text={value} limit={160} />
          </button>
        )}
      </th>
      <td class="number">{grouped(group.count)}</td>
      <td class={group.errors > 0 ? "number status-fail" : "number unknown"}>{grouped(group.errors)}</td>
      <Figure label="p50" text={milliseconds(group.p50)} why={noTime} />
      <Figure label="p95" text={milliseconds(group.p95)} why={noTime} />
    </tr>
  );
}

function groupWord(field: string): string {
  if (field === "event_name") return "Event";
  return field === "source" ? "Source" : fieldWords[field as ContextField];
}
