import { excerptAt } from "./file-locations.ts";
import type { AuditRule, Match } from "./rule.ts";

/** Text that people do not see and models read. */
export const hiddenUnicode: AuditRule = {
  id: "AUD110",
  name: "hidden-unicode",
  severity: "high",
  message: "contains characters that people cannot see but programs read",
  help: "Delete the hidden characters, and find out where they came from.",
  *find({ files, specials }) {
    for (const { path } of [...files, ...specials]) yield* inText(path, path, null, false);
    for (const { path, text, lines, kind } of files) {
      if (text === null || !candidate.test(text)) continue;
      for (const line of lines) yield* inText(line.text, path, line.number, kind === "prose" && !line.isCode);
    }
  },
};

// The tags are outside of the basic plane, and searched by their surrogates for speed.
const candidate =
  /[\ufe00-\ufe0f\u034f\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\u3164\ufeff\uffa0\udb40]/;

const flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{2,6}\u{e007f}/gu;
const tag = /[\u{e0000}-\u{e007f}]/u;
const override = /[\u202a-\u202e]/;
const isolate = /[\u2066-\u2069]/;
const selectors = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{3}/u;
const zeroWidth = /[\u034f\u115f\u1160\u180e\u200b-\u200f\u061c\u2060-\u2064\u3164\ufeff\uffa0]/;
const zeroWidthRun = /[\u034f\u115f\u1160\u180e\u200b-\u200d\u2060-\u2064\u3164\ufeff\uffa0]{3}/;
const inWord =
  /[A-Za-z0-9][\u034f\u115f\u1160\u180e\u200b-\u200f\u2060-\u2064\u3164\ufeff\uffa0]+[A-Za-z0-9]/;
/** Scripts that need joiners, marks of direction or breaks between words. */
const needsMarks =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Mongolian}]/u;
/** A joiner between two pictures makes one of them. */
const joined =
  /(?<=[\ufe0f\p{Extended_Pictographic}\p{Emoji_Modifier}])\u200d(?=\p{Extended_Pictographic}|[♀♂⚕])/gu;

function* inText(text: string, file: string, line: number | null, isSentence: boolean): Generator<Match> {
  if (!candidate.test(text)) return;
  const rest = text.replace(flag, "").replace(joined, "");
  const found = worst(rest, isSentence);
  if (found === null) return;
  const evidence = rest.replace(/[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu, escaped);
  const excerpt = excerptAt(evidence, Math.max(0, evidence.search(found.shape)));
  yield {
    file,
    line,
    evidence: excerpt,
    message: found.message,
    ...(found.isMild ? { severity: "low" } : {}),
  };
}

interface Hidden {
  shape: RegExp;
  message: string;
  isMild?: boolean;
}

function worst(text: string, isSentence: boolean): Hidden | null {
  if (tag.test(text)) return { shape: tag, message: "tag characters spell invisible text" };
  if (selectors.test(text))
    return { shape: /\\u\{(?:fe0|e01)/, message: "a run of variation selectors can carry hidden text" };
  if (override.test(text))
    return {
      shape: override,
      message: "bidirectional controls display the text in a different order than it is read",
    };
  if (isolate.test(text) && !(isSentence && needsMarks.test(text)))
    return {
      shape: isolate,
      message: "bidirectional controls display the text in a different order than it is read",
    };
  if (zeroWidthRun.test(text))
    return { shape: zeroWidthRun, message: "a run of zero-width characters can carry hidden text" };
  if (needsMarks.test(text)) return null;
  if (inWord.test(text))
    return { shape: inWord, message: "a zero-width character splits a word and hides it from searches" };
  if (!zeroWidth.test(text)) return null;
  return {
    shape: zeroWidth,
    message: "a zero-width character next to a word, common in copied text",
    isMild: true,
  };
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
