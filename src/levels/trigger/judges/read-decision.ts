import { type LineFormat, readReplyLine } from "./read-reply-line.ts";

type Decision = { ok: true; outcome: "yes" | "no"; reason: string } | { ok: false; why: string };

const format: LineFormat = {
  key: "DECISION",
  pattern: /^DECISION=(YES|NO) REASON=(\S[^\n]{0,399})$/,
  shown: "DECISION=<YES|NO> REASON=<one short sentence>",
};

/** Reads what a judge decided about one skill. Only the exact format is a verdict. */
export function readDecision(reply: string): Decision {
  const line = readReplyLine(reply, format);
  return line.ok ? { ok: true, outcome: line.word === "YES" ? "yes" : "no", reason: line.reason } : line;
}

/**
 * What a lenient reader would make of a reply: the one decision word in it, in any case, spacing or wrapping; null where
 * there is none, or where two contradict each other. For information only.
 */
export function lenientDecision(reply: string): "yes" | "no" | null {
  const text = reply.slice(0, maxReadChars).normalize("NFKC").replace(formatLine, " ");
  const keyed = wordsAfterKey(text);
  return single(keyed.length > 0 ? keyed : wordsAlone(text));
}

const maxReadChars = 4000;
/** The format line of the prompt, repeated by the model: it has both words and means neither. */
const formatLine = /DECISION\s?=\s?<\s?YES\s?\|\s?NO\s?>/gi;
/** The key and the decision, with anything between them: `**Decision:** "yes"`, `the decision is no`. */
const afterKey =
  /\bdecision\b["'`*_\s:=<([-]{0,12}(?:(?:is|would be)\b["'`*_\s:=]{1,6})?(yes|no)(?![\p{L}\p{N}_])/giu;
const shouted = /(?<![\p{L}\p{N}_])(?:YES|NO)(?![\p{L}\p{N}_])/gu;
const firstWord = /^[^\p{L}\p{N}]{0,40}(yes|no)(?![\p{L}\p{N}_])/iu;
const lastWord = /(?<![\p{L}\p{N}_])(yes|no)[^\p{L}\p{N}]{0,40}$/iu;

function wordsAfterKey(text: string): string[] {
  return Array.from(text.matchAll(afterKey), ([, word = ""]) => word);
}

/** Without the key a word counts only where it is unlikely to be part of a sentence: in capitals, at the beginning, at the end. */
function wordsAlone(text: string): string[] {
  const ends = [firstWord, lastWord].flatMap((pattern) => pattern.exec(text)?.[1] ?? []);
  return [...Array.from(text.matchAll(shouted), ([word]) => word), ...ends];
}

function single(words: readonly string[]): "yes" | "no" | null {
  const distinct = new Set(words.map((word) => word.toLowerCase()));
  const [word] = distinct;
  return distinct.size === 1 ? (word as "yes" | "no") : null;
}
