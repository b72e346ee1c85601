import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ContextField } from "../../src/contract/telemetry.ts";
import { Choice, ClearFilters } from "../report/controls.tsx";
import { type EventChoice, everyEvent, isEverything } from "./event-choice.ts";
import { fieldWords } from "./event-words.ts";

const alwaysThere: readonly ContextField[] = [
  "run_id",
  "session_id",
  "case_id",
  "skill_id",
  "host_app",
  "doc_key",
  "block_id",
  "client_id",
];

/** The filters of the event table. */
export function EventFilters(props: {
  names: readonly string[];
  choice: EventChoice;
  onChoice: (choice: EventChoice) => void;
  children: ComponentChildren;
}) {
  const { choice, onChoice, children } = props;
  const { eventName, context } = choice;
  // A chosen name stays visible even if no such event is left.
  const names = [...new Set([...props.names, ...(eventName === null ? [] : [eventName])])];
  const others = (Object.keys(context) as ContextField[]).filter((field) => !alwaysThere.includes(field));
  return (
    <search class="filters event-filters">
      <Choice
        label="Event"
        all="All events"
        items={names}
        chosen={eventName}
        onChoose={(eventName) => onChoice({ ...choice, eventName })}
      />
      {[...alwaysThere, ...others].map((field) => (
        <FilterField
          key={field}
          label={fieldWords[field]}
          text={context[field] ?? ""}
          onText={(text) => onChoice({ ...choice, context: withField(context, field, text) })}
        />
      ))}
      {(["from", "until"] as const).map((bound) => (
        <label key={bound} class="time-field">
          <span>{bound === "from" ? "From (UTC)" : "Until (UTC)"}</span>
          <input
            type="datetime-local"
            step="1"
            value={choice[bound]}
            onChange={({ currentTarget }) => onChoice({ ...choice, [bound]: currentTarget.value })}
          />
        </label>
      ))}
      {children}
      {!isEverything(choice) && <ClearFilters onClear={() => onChoice(everyEvent)} />}
    </search>
  );
}

/** The context with one field set, or without it where the text is empty. */
function withField(
  context: EventChoice["context"],
  field: ContextField,
  text: string,
): EventChoice["context"] {
  const { [field]: _, ...rest } = context;
  return text === "" ? rest : { ...rest, [field]: text };
}

/** A value that must match whole: looked for when it is done, since half of an id matches nothing. */
function FilterField(props: { label: string; text: string; onText: (text: string) => void }) {
  const { label, text, onText } = props;
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <label class="searchbox">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          if (value === "") onText("");
        }}
        onChange={({ currentTarget: { value } }) => onText(value)}
      />
    </label>
  );
}
