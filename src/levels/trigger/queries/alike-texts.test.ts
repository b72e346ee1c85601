import fc from "fast-check";
import { expect, test } from "vitest";
import { findAlike } from "./alike-texts.ts";

const text = fc.string({ unit: fc.constantFrom(..."abc 发票"), maxLength: 24 });

test("whoever is like another is found, as if every text had been compared with every other", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40 }), (texts) => {
      const alike = new Set<number>();
      for (const [i, a] of texts.entries())
        for (const [j, b] of texts.entries()) if (i < j && plainJaccard(a, b) >= 0.9) alike.add(i).add(j);
      const { pairs, isWhole } = findAlike(texts);

      expect(isWhole).toBe(true);
      expect(new Set(pairs.flatMap(({ first, second }) => [first, second]))).toEqual(alike);
      for (const { first, second, likeness } of pairs)
        expect(plainJaccard(texts[first] ?? "", texts[second] ?? "")).toBeCloseTo(likeness);
    }),
  );
});

test("where the budget runs out, that is said", () => {
  const texts = Array.from({ length: 100 }, (_, index) => `please look at request number ${index}`);
  expect(findAlike(texts).isWhole).toBe(true);
  expect(findAlike(texts, 50).isWhole).toBe(false);
});

function plainJaccard(a: string, b: string): number {
  const [x, y] = [bigrams(a), bigrams(b)];
  const shared = [...x].filter((bigram) => y.has(bigram)).length;
  return shared / (x.size + y.size - shared);
}

function bigrams(text: string): Set<string> {
  if (text.length < 2) return new Set([text].filter((one) => one !== ""));
  return new Set(Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2)));
}
