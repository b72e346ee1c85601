import type {
  ConversationRecord,
  ConversationTurnRecord,
  RecordedCall,
} from "../../contract/conversation.ts";
import type { TimelineEvent } from "../../contract/view.ts";
import { counted } from "../text/format-numbers.ts";
import { formatValue } from "../view/explain-cell.ts";
import { eventText, fitEvents, gapEvent } from "./fit-events.ts";

/** A conversation as people read it, within bounds: what was asked, what the model said, and what came of it. */
export function conversationTimeline(record: ConversationRecord, request: string | null): TimelineEvent[] {
  return fitEvents(wholeTimeline(record, request), gapEvent);
}

function wholeTimeline(record: ConversationRecord, request: string | null): TimelineEvent[] {
  const { turns, end, problem } = record;
  // The duration of a script says nothing.
  const isTimed = turns.some(({ llm_ms }) => llm_ms > 0);
  let elapsedMs = 0;
  const at = (ms: number) => {
    elapsedMs += ms;
    return isTimed ? elapsedMs : null;
  };
  return [
    ...(request === null ? [] : [{ atMs: at(0), label: "user", ...eventText(request) }]),
    { atMs: at(0), label: "skills", text: selectionWords(record), ...promptQuote(record) },
    ...turns.flatMap((turn) => turnEvents(turn, at)),
    ...(end === "final"
      ? []
      : [
          {
            atMs: at(0),
            label: "end",
            ...eventText(problem === null ? end : `${end}: ${problem}`),
            tone: "bad" as const,
          },
        ]),
  ];
}

/** Which skills a conversation was given and how: `tea-desk 0.82, chosen by vectors, in wps`. */
function selectionWords({ selected, forced, routing, host, document }: ConversationRecord): string {
  const names = selected.map(({ id, score }) => (score === null ? id : `${id} ${score.toFixed(2)}`));
  const by = routing === null ? "" : ` by ${routing.mode === "lexical" ? "words" : "vectors"}`;
  return [
    names.length === 0 ? "none" : names.join(", "),
    forced ? "named by the case" : `chosen${by}`,
    ...(host === null ? [] : [`in ${host}`]),
    ...(document === null ? [] : [`with ${document.name} (${counted(document.chars, "character")})`]),
  ].join(", ");
}

function turnEvents(turn: ConversationTurnRecord, at: (ms: number) => number | null): TimelineEvent[] {
  const { kind, reply, rejection, lenient, call, warnings, llm_ms } = turn;
  const atMs = at(llm_ms);
  if (kind === "final") return [{ atMs, label: "model", ...eventText(reply) }];
  if (kind === "rejected" || call === null) {
    const meant = lenient === null ? "" : `; it looks like a call of ${lenient.name}`;
    return [
      { atMs, label: "model", ...eventText(reply.trim() === "" ? "(nothing)" : reply), tone: "bad" },
      {
        ...{ atMs, label: "protocol", tone: "bad" as const },
        text: `not a valid call: ${rejection ?? "unreadable"}${meant}`,
      },
    ];
  }
  const notes = warnings.length === 0 ? "" : ` (${warnings.join(", ")})`;
  const brief = `calls ${call.name} ${JSON.stringify(call.arguments)}${notes}`;
  return [
    {
      ...{ atMs, label: "model" },
      ...(brief.length <= maxBrief
        ? { text: brief }
        : { text: `calls ${call.name}${notes}`, quote: formatValue(call.arguments) }),
    },
    {
      ...{
        atMs: at(call.ms),
        label: `tool ${call.name}`,
        tone: call.ok ? ("good" as const) : ("bad" as const),
      },
      ...eventText(resultWords(call)),
    },
  ];
}

const maxBrief = 120;

/** What a model was told of its skills and tools. */
function promptQuote({ selected, tools }: ConversationRecord): Pick<TimelineEvent, "quote"> {
  const lines = [
    ...selected.map(
      ({ id, injected_chars, truncated }) =>
        `prompt of ${id}: ${counted(injected_chars, "character")}${truncated ? ", cut" : ""}`,
    ),
    ...tools.map((tool) => `tool ${tool}`),
  ];
  return lines.length === 0 ? {} : { quote: lines.join("\n") };
}

function resultWords({ ok, message, code, data, injected, repeat, findings }: RecordedCall): string {
  return [
    ok ? formatValue(data) : (message ?? code ?? "failed"),
    ...injected.map(({ name, chars }) => `${name} filled in, ${counted(chars, "character")}`),
    ...(repeat ? ["the same call as before"] : []),
    ...findings,
  ].join("\n");
}
