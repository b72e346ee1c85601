import { noSkill } from "./read-choice.ts";

/**
 * The skill that a lenient reader would find chosen in a reply, by any of its names, in any case, spacing or wrapping;
 * null for none of them, undefined where nothing can be told. It informs and decides nothing.
 */
export function lenientChoice(reply: string, idOf: ReadonlyMap<string, string>): string | null | undefined {
  const text = reply.slice(0, longestRead).normalize("NFKC").replace(formatLine, " ");
  const keyed = Array.from(text.matchAll(afterKey), ([, word = ""]) => word);
  const named = keyed.length > 0 ? keyed : [text.trim()];
  const chosen = new Set(named.map((word) => meant(word, idOf)));
  const [first] = chosen;
  return chosen.size === 1 ? first : undefined;
}

const longestRead = 4000;
const formatLine = /CHOICE\s?=\s?<\s?skill-id\s?\|\s?NONE\s?>/gi;
const afterKey = /\bchoice\b["'`*_\s:=<([]{1,12}([\p{L}\p{N}][^\s"'`*<>()[\]{},;]{0,200})/giu;

function meant(word: string, idOf: ReadonlyMap<string, string>): string | null | undefined {
  const bare = word
    .replace(/^["'`*<([]{1,6}/, "")
    .replace(/["'`*>)\].:!]{1,6}$/, "")
    .toLowerCase();
  return bare === noSkill.toLowerCase() ? null : idOf.get(bare);
}
