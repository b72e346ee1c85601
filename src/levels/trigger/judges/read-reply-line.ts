/** A line `KEY=<word> REASON=<sentence>` that was the whole reply, or why it was not. */
export type ReplyLine = { ok: true; word: string; reason: string } | { ok: false; why: string };

/** What such a line must look like, by its key. */
export interface LineFormat {
  key: "DECISION" | "CHOICE";
  /** Matches the whole reply; its first group is the word, its second the reason. */
  pattern: RegExp;
  /** As in the prompt. */
  shown: string;
}

/** Reads a reply that must be one such line and nothing else. Nothing is normalized, repaired or extracted. */
export function readReplyLine(reply: string, { key, pattern, shown }: LineFormat): ReplyLine {
  const text = reply.replaceAll("\r\n", "\n").trim();
  if (text === "") return { ok: false, why: "the reply is empty" };
  const keys = text.match(new RegExp(`${key}=`, "gi"))?.length ?? 0;
  if (keys > 1) return { ok: false, why: `the reply has ${key}= ${keys} times` };
  const [, word, reason] = otherLineBreaks.test(text) ? [] : (pattern.exec(text) ?? []);
  if (word === undefined || reason === undefined)
    return { ok: false, why: `the reply is not exactly one line ${shown}` };
  return { ok: true, word, reason };
}

/** Text after one of these is shown as another line, so it counts as prose after the verdict. */
const otherLineBreaks = /[\r\v\f\u0085\u2028\u2029]/;
