import { shorten } from "../../base/visible-text.ts";
import type {
  ConversationRecord,
  ConversationTurnRecord,
  RecordedCall,
} from "../../contract/conversation.ts";

/** One line about a turn of a conversation. */
export interface TranscriptLine {
  turn: number;
  /** What kind of thing was said: `call`, `refused`, `final`. */
  kind: "call" | "refused" | "final";
  words: string;
  /** What came of it; empty where nothing did. */
  result: string;
  isGood: boolean;
}

/** A conversation as people read it: what was said, and what came of it. */
export function transcript({ turns }: Pick<ConversationRecord, "turns">): TranscriptLine[] {
  return turns.map(lineOf);
}

/** How a conversation began: who was chosen, and how. */
export function conversationHead(record: ConversationRecord): string {
  const { selected, forced, routing, host, document } = record;
  const names = selected.map(({ id, score }) => (score === null ? id : `${id} ${score.toFixed(2)}`));
  const chosen = names.length === 0 ? "no skill" : names.join(", ");
  return [
    `${forced ? "forced" : "routed"} to ${chosen}`,
    ...(routing === null ? [] : [`by ${routing.mode === "lexical" ? "words" : "vectors"}`]),
    ...(host === null ? [] : [`in ${host}`]),
    ...(document === null ? [] : [`with ${document.name}, ${document.chars} characters`]),
  ].join(" ");
}

/** How it ended, where there is no final reply. */
export function conversationEnd({ end, problem }: ConversationRecord): string | null {
  return end === "final" ? null : `ended ${end}${problem === null ? "" : `: ${problem}`}`;
}

const textLimit = 300;

function lineOf({
  turn,
  kind,
  reply,
  rejection,
  lenient,
  call,
  warnings,
}: ConversationTurnRecord): TranscriptLine {
  if (kind === "final")
    return { turn, kind: "final", words: shorten(reply, textLimit), result: "", isGood: true };
  if (kind === "rejected" || call === null) {
    const meant = lenient === null ? "" : `, meant ${lenient.name}`;
    const result = `malformed-call: ${rejection ?? "not read"}${meant}`;
    const words = reply.trim() === "" ? "(nothing)" : shorten(reply, textLimit);
    return { turn, kind: "refused", words, result, isGood: false };
  }
  const words = [`${call.name} ${shorten(JSON.stringify(call.arguments), textLimit)}`, ...warnings].join(
    ", ",
  );
  return { turn, kind: "call", words, result: resultOf(call), isGood: call.ok };
}

function resultOf({ ok, message, code, data, injected, repeat, findings }: RecordedCall): string {
  return [
    ok ? shorten(JSON.stringify(data), textLimit) : (message ?? code ?? "failed"),
    ...injected.map(({ name, chars }) => `${name} filled in, ${chars} characters`),
    ...(repeat ? ["made before"] : []),
    ...findings,
  ].join("; ");
}
