import type {
  ConversationRecord,
  ConversationTurnRecord,
  RecordedCall,
} from "../../contract/conversation.ts";
import type { TimelineEvent } from "../../contract/view.ts";
import { shortenWords } from "../../shared/text/visible-text.ts";
import { counted } from "../text/format-numbers.ts";

const maxText = 2000;

/** A conversation as people read it: what was asked, what the model said, and what came of it. */
export function conversationTimeline(record: ConversationRecord, request: string | null): TimelineEvent[] {
  const { turns, end, problem } = record;
  // The duration of a script says nothing.
  const isTimed = turns.some(({ llm_ms }) => llm_ms > 0);
  let elapsedMs = 0;
  const at = (ms: number) => {
    elapsedMs += ms;
    return isTimed ? elapsedMs : null;
  };
  return [
    ...(request === null ? [] : [{ atMs: at(0), label: "user", text: shortenWords(request, maxText) }]),
    { atMs: at(0), label: "skills", text: selectionWords(record) },
    ...turns.flatMap((turn) => turnEvents(turn, at)),
    ...(end === "final"
      ? []
      : [
          {
            atMs: at(0),
            label: "end",
            text: problem === null ? end : `${end}: ${problem}`,
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
  if (kind === "final") return [{ atMs, label: "model", text: shortenWords(reply, maxText) }];
  if (kind === "rejected" || call === null) {
    const meant = lenient === null ? "" : `; it looks like a call of ${lenient.name}`;
    return [
      {
        atMs,
        label: "model",
        text: reply.trim() === "" ? "(nothing)" : shortenWords(reply, maxText),
        tone: "bad",
      },
      {
        atMs,
        label: "protocol",
        text: `not a valid call: ${rejection ?? "unreadable"}${meant}`,
        tone: "bad",
      },
    ];
  }
  const notes = warnings.length === 0 ? "" : ` (${warnings.join(", ")})`;
  const words = `calls ${call.name} ${JSON.stringify(call.arguments)}${notes}`;
  return [
    { atMs, label: "model", text: shortenWords(words, maxText) },
    {
      atMs: at(call.ms),
      label: `tool ${call.name}`,
      text: resultWords(call),
      tone: call.ok ? "good" : "bad",
    },
  ];
}

function resultWords({ ok, message, code, data, injected, repeat, findings }: RecordedCall): string {
  const result = typeof data === "string" ? data : JSON.stringify(data);
  return [
    ok ? shortenWords(result, maxText) : (message ?? code ?? "failed"),
    ...injected.map(({ name, chars }) => `${name} filled in, ${counted(chars, "character")}`),
    ...(repeat ? ["the same call as before"] : []),
    ...findings,
  ].join("\n");
}
