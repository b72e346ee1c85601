import { type LineFormat, readReplyLine } from "./read-reply-line.ts";

type Choice = { ok: true; chosen: string | null; reason: string } | { ok: false; why: string };

/** The reply of a judge that would load no skill. */
export const noSkill = "NONE";

const format: LineFormat = {
  key: "CHOICE",
  // An id may contain spaces: the lenient profile accepts any folder name.
  pattern: /^CHOICE=([^\n]{1,300}?) REASON=(\S[^\n]{0,399})$/,
  shown: "CHOICE=<skill-id|NONE> REASON=<one short sentence>",
};

/** Reads which of the listed skills a judge chose. Aliases are not accepted: they are not on the list. */
export function readChoice(reply: string, ids: ReadonlySet<string>): Choice {
  const line = readReplyLine(reply, format);
  if (!line.ok) return line;
  const { word, reason } = line;
  if (word === noSkill) return { ok: true, chosen: null, reason };
  if (ids.has(word)) return { ok: true, chosen: word, reason };
  return { ok: false, why: `${JSON.stringify(word)} is not a listed id` };
}

/**
 * The skill that a lenient reader would find chosen in a reply, by any of its names, in any case, spacing or wrapping;
 * null for none of them, undefined where that is unclear. For information only.
 */
export function lenientChoice(
  reply: string,
  idByName: ReadonlyMap<string, string>,
): string | null | undefined {
  const text = reply.slice(0, maxReadChars).normalize("NFKC").replace(formatLine, " ");
  const keyed = Array.from(text.matchAll(afterKey), ([, word = ""]) => word);
  const named = keyed.length > 0 ? keyed : [text.trim()];
  const chosen = new Set(named.map((word) => meant(word, idByName)));
  const [first] = chosen;
  return chosen.size === 1 ? first : undefined;
}

const maxReadChars = 4000;
const formatLine = /CHOICE\s?=\s?<\s?skill-id\s?\|\s?NONE\s?>/gi;
const afterKey = /\bchoice\b["'`*_\s:=<([]{1,12}([\p{L}\p{N}][^\s"'`*<>()[\]{},;]{0,200})/giu;

function meant(word: string, idByName: ReadonlyMap<string, string>): string | null | undefined {
  const bare = word
    .replace(/^["'`*<([]{1,6}/, "")
    .replace(/["'`*>)\].:!]{1,6}$/, "")
    .toLowerCase();
  return bare === noSkill.toLowerCase() ? null : idByName.get(bare);
}
