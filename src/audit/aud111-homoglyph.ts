import { excerptAt } from "./file-locations.ts";
import type { AuditRule, Match } from "./rule.ts";

/** Letters of one script that pass for those of another. */
export const homoglyph: AuditRule = {
  id: "AUD111",
  name: "homoglyph",
  severity: "medium",
  message: "a word contains look-alike letters from another script",
  help: "Write names, hosts and commands in a single script.",
  *find({ name, files, specials }) {
    if (spoofIn(name) !== null)
      yield {
        file: ".",
        line: null,
        evidence: shown(name),
        message: "the skill name contains look-alike letters",
      };
    for (const { path } of [...files, ...specials])
      if (spoofIn(path) !== null)
        yield {
          file: path,
          line: null,
          evidence: shown(path),
          message: "a file name contains look-alike letters",
        };
    for (const { path, text, lines } of files) {
      if (text === null || !lookAlike.test(text)) continue;
      for (const line of lines) yield* inLine(line.text, path, line.number);
    }
  },
};

// Only letters that look like Latin ones in common fonts.
const cyrillic = "аеорсухіјѕԁһӏԛԝАВЕКМНОРСТУХІЈЅ";
const greek = "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ";
const wide = "\\uff21-\\uff3a\\uff41-\\uff5a";
const alike = `[${cyrillic}${greek}${wide}]`;
const lookAlike = new RegExp(alike);
/** Latin letters and look-alikes in one word, and nothing of the other script that would show that it is one. */
const word = /[\p{L}\p{N}_]{3,80}/gu;
/** A Latin word with an ending of a language that writes in the other script. */
const inflected = /^[A-Za-z]{2,}[\u0400-\u04ff]{1,3}$/;
const plainCyrillic = /[бвгджзиклмнптфцчшщъыьэюя]{2}/;
const mixed = new RegExp(`^(?=.*[A-Za-z])(?=.*${alike})(?:[A-Za-z0-9_]|${alike})+$`);
/** A host whose label is all look-alikes and whose ending is Latin. */
const host = new RegExp(
  `(?:https?://|@|\\bwww\\.)(?:[\\w-]+\\.)*(?:[${cyrillic}${greek}]|[0-9-]){3,63}\\.[a-z]{2,12}\\b`,
  "u",
);

function* inLine(text: string, file: string, line: number): Generator<Match> {
  if (!lookAlike.test(text)) return;
  const index = spoofIn(text);
  if (index !== null) yield { file, line, evidence: shown(excerptAt(text, index)) };
}

function spoofIn(text: string): number | null {
  if (!lookAlike.test(text)) return null;
  for (const { 0: found, index } of text.matchAll(word))
    if (mixed.test(found) && !(inflected.test(found) && plainCyrillic.test(text))) return index;
  const spoofed = host.exec(text);
  return spoofed === null ? null : spoofed.index;
}

/** With the look-alikes written as escapes: their picture would prove nothing. */
function shown(text: string): string {
  return text
    .slice(0, 200)
    .replace(new RegExp(alike, "g"), (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}
