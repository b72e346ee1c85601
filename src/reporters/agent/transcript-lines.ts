import type { ConversationRecord } from "../../contract/conversation.ts";
import type { TextTerms } from "../trigger-skill-lines.ts";
import { wrapped } from "./cell-lines.ts";
import { conversationEnd, conversationHead, type TranscriptLine, transcript } from "./transcript.ts";

/** A conversation for a terminal, below the case it belongs to. */
export function transcriptLines(record: ConversationRecord, before: string, terms: TextTerms): string[] {
  const { paint } = terms;
  const end = conversationEnd(record);
  return [
    ...wrapped(conversationHead(record), before, terms).map((line) => paint.dim(line)),
    ...transcript(record).flatMap((line) => turnLines(line, before, terms)),
    ...(end === null ? [] : wrapped(end, before, terms).map((line) => paint.yellow(line))),
  ];
}

const marks = { call: "→", refused: "✗", final: "=" } as const;

function turnLines(
  { turn, kind, words, result, isGood }: TranscriptLine,
  before: string,
  terms: TextTerms,
): string[] {
  const { paint } = terms;
  const head = `${before}${turn} ${marks[kind]} `;
  const below = " ".repeat(head.length);
  const [first = "", ...rest] = wrapped(words, below, terms);
  const tone = isGood ? paint.dim : paint.yellow;
  return [
    `${paint.dim(head)}${first.slice(below.length)}`,
    ...rest,
    ...(result === "" ? [] : wrapped(result, below, terms).map((line) => tone(line))),
  ];
}
