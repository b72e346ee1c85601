import fc from "fast-check";
import { expect, test } from "vitest";
import { PhraseIndex } from "./phrase-index.ts";

const letters = fc.string({
  unit: fc.constantFrom("a", "b", "1", " ", "-", "合", "同", "é", "😀"),
  maxLength: 12,
});

test("finds what looking for each phrase would find", () => {
  const phrases = fc.uniqueArray(
    letters.map((text) => text.trim()).filter((text) => text !== ""),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(phrases, letters, letters, (known, one, two) => {
      const message = `${one}${known[0] ?? ""}${two}`;
      const index = new PhraseIndex<string>();
      for (const phrase of known) index.add(phrase, phrase);
      const found = [...index.find(message)].map(([phrase, { positions }]) => [phrase, positions]);
      const expected = known.map((phrase) => [phrase, taskPaths(phrase, message)] as const);

      expect(new Map(found as [string, number[]][])).toEqual(
        new Map(expected.filter(([, positions]) => positions.length > 0)),
      );
    }),
  );
});

test("a phrase of several owners is found for each", () => {
  const index = new PhraseIndex<number>();
  index.add("合同", 1);
  index.add("合同", 2);

  expect(index.find("审合同").get("合同")).toEqual({ owners: [1, 2], positions: [1] });
});

/** One after the other, with the rule about neighbours written out. */
function taskPaths(phrase: string, message: string): number[] {
  const isWord = (character: string | undefined) => character !== undefined && /^[a-zé0-9]$/.test(character);
  const positions: number[] = [];
  for (let at = message.indexOf(phrase); at !== -1; at = message.indexOf(phrase, at + 1)) {
    const before = isWord(phrase[0]) && isWord(message[at - 1]);
    const after = isWord(phrase.at(-1)) && isWord(message[at + phrase.length]);
    if (!before && !after) positions.push(at);
  }
  return positions;
}
