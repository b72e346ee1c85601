import { type LineFormat, readReplyLine } from "./read-reply-line.ts";

export type Decision = { ok: true; outcome: "yes" | "no"; reason: string } | { ok: false; why: string };

const format: LineFormat = {
  key: "DECISION",
  pattern: /^DECISION=(YES|NO) REASON=(\S[^\n]{0,399})$/,
  shown: "DECISION=<YES|NO> REASON=<one short sentence>",
};

/** Reads what a judge decided about one skill. Whatever is not a verdict by the letter is none. */
export function readDecision(reply: string): Decision {
  const line = readReplyLine(reply, format);
  return line.ok ? { ok: true, outcome: line.word === "YES" ? "yes" : "no", reason: line.reason } : line;
}
