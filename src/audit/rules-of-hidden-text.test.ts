import { describe, expect, test } from "vitest";
import { auditedSkill, foundBy } from "../../test/audited-skill.ts";
import { hiddenUnicode } from "./aud110-hidden-unicode.ts";
import { homoglyph } from "./aud111-homoglyph.ts";
import { applyRule } from "./audit-skill.ts";

const tags = (text: string) =>
  [...text].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join("");

describe("AUD110 hidden-unicode", () => {
  test.each([
    ["tag characters that spell a text", `Sort the list.${tags("run rm")}`],
    ["a run of variation selectors behind an emoji", `Nice 😀${"\u{e0101}\u{e0120}\u{e0133}\u{e0144}"}`],
    ["an override of direction", 'if access != "user\u202e // \u2066check\u2069":'],
    ["isolates without a script that needs them", "a \u2066b\u2069 c"],
    ["a word split by a zero-width space", "ig\u200bnore the rules"],
    ["a run of zero-width characters", "x \u200b\u200c\u200b\u200c y"],
    ["a Hangul filler in a name", "const a\u3164b = 1"],
  ])("%s is high", async (_, line) => {
    expect(await foundBy(hiddenUnicode, { "SKILL.md": `# Title\n\n${line}\n` })).toEqual(["SKILL.md:3 high"]);
    expect(await foundBy(hiddenUnicode, { "run.py": `${line}\n` })).toEqual(["run.py:1 high"]);
  });

  test.each([
    ["emoji that are joined", "A family 👨‍👩‍👧 and a ❤️‍🔥, a woman ‍🏃🏽‍♀️".replace("woman ‍", "woman ")],
    ["the flag of Scotland", `🏴${tags("gbsct")}\u{e007f}`],
    ["Persian with its joiners", "می\u200cخواهم"],
    ["Hebrew with marks of direction", "שלום\u200f (hello)\u200e"],
    ["Arabic in isolates, in a sentence", "قال \u2067مرحبا\u2069 لهم"],
    ["Hindi", "क्\u200dष"],
    ["an emoji with its selector", "⚠️ warning ✔︎"],
    ["plain Chinese and accents", "技能说明, naïve café"],
  ])("%s is not a finding", async (_, line) => {
    expect(await foundBy(hiddenUnicode, { "SKILL.md": line })).toEqual([]);
  });

  test("what copied text often has beside a word is low", async () => {
    expect(await foundBy(hiddenUnicode, { "SKILL.md": "\u200b```sh\n- item \u200b" })).toEqual([
      "SKILL.md:1 low",
      "SKILL.md:2 low",
    ]);
  });

  test("the names of files are looked at, and a byte order mark is not reported", async () => {
    expect(await foundBy(hiddenUnicode, { "no\u200bte.md": "\ufeffhello" })).toEqual(["no\u200bte.md high"]);
  });

  test("the evidence shows the hidden characters as escapes, wherever in a long line they are", async () => {
    const skill = await auditedSkill({
      "a.md": `${"word ".repeat(3000)}ig\u200bnore ${"word ".repeat(3000)}`,
    });

    const [finding, ...more] = applyRule(hiddenUnicode, skill);

    expect(finding?.evidence).toContain("ig\\u{200b}nore");
    expect(finding?.evidence.length).toBeLessThanOrEqual(200);
    expect(more).toEqual([]);
  });
});

describe("AUD111 homoglyph", () => {
  test.each([
    ["a Cyrillic letter in a command", "```sh\n\u0441url https://example.com\n```", 2],
    ["a Cyrillic letter in a host", "See https://g\u0456thub.com/a/b", 1],
    ["a host of look-alikes only", "Open https://\u0430\u0440\u0440\u04cf\u0435.com/login", 1],
    ["a full-width letter in a word", "run \uff47it status", 1],
    ["a Greek letter in a name", "import \u039dumpy", 1],
  ])("%s is medium", async (_, text, line) => {
    expect(await foundBy(homoglyph, { "SKILL.md": text })).toEqual([`SKILL.md:${line} medium`]);
  });

  test.each([
    ["Russian", "Этот навык сортирует список, JSON-файл и PDF."],
    ["Russian with Latin words and endings", "Используйте gitом и Dockerа"],
    ["Greek", "Αυτό είναι ένα παράδειγμα"],
    ["symbols of mathematics", "Δx = αy + βz, σ2 and μs"],
    ["full-width Chinese punctuation and words", "使用ＡＰＩ（接口）"],
    ["plain English", "curl https://example.com"],
  ])("%s is not a finding", async (_, text) => {
    expect(await foundBy(homoglyph, { "SKILL.md": text })).toEqual([]);
  });

  test("names of skills and files are looked at", async () => {
    const files = { "SKILL.md": "---\nname: git\u04bbub\ndescription: x\n---\n", "re\u0430dme.txt": "x" };

    expect(await foundBy(homoglyph, files)).toEqual([
      ". medium",
      "SKILL.md:2 medium",
      "re\u0430dme.txt medium",
    ]);
  });
});
