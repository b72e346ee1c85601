import { type LineFormat, readReplyLine } from "./read-reply-line.ts";

export type Choice = { ok: true; chosen: string | null; reason: string } | { ok: false; why: string };

/** What a judge says who would load no skill. */
export const noSkill = "NONE";

const format: LineFormat = {
  key: "CHOICE",
  // An id may hold spaces: a lenient reader of skills takes any name that a folder can have.
  pattern: /^CHOICE=([^\n]{1,300}?) REASON=(\S[^\n]{0,399})$/,
  shown: "CHOICE=<skill-id|NONE> REASON=<one short sentence>",
};

/** Reads which of the listed skills a judge chose. Another name of a skill is no id: it was not on the list. */
export function readChoice(reply: string, ids: ReadonlySet<string>): Choice {
  const line = readReplyLine(reply, format);
  if (!line.ok) return line;
  const { word, reason } = line;
  if (word === noSkill) return { ok: true, chosen: null, reason };
  if (ids.has(word)) return { ok: true, chosen: word, reason };
  return { ok: false, why: `${JSON.stringify(word)} is not a listed id` };
}
