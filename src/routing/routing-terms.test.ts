import fc from "fast-check";
import { expect, test } from "vitest";
import { sampleCatalog, sampleSkill } from "../../test/builders/sample-catalog.ts";
import { termOverlaps, termWeights } from "./routing-terms.ts";

const idf = (n: number, df: number) => Math.min(4, Math.log(1 + (50 + n - df + 0.5) / (df + 0.5)));

test("the terms of skills weigh as they do when routing", () => {
  const weights = termWeights(
    [
      sampleSkill({ id: "x1", description: "合同 ledger" }),
      sampleSkill({ id: "x2", description: "ledgers" }),
    ],
    "bigrams",
  );

  expect([...(weights.get("x1") ?? [])]).toEqual([
    ["x1", idf(2, 1)],
    ["合同", idf(2, 1)],
    ["ledger", idf(2, 2)],
  ]);
});

test("pairs are as alike as the weight they share beside all they have, the most alike first", () => {
  const skills = [
    sampleSkill({ id: "x3", description: "ledger" }),
    sampleSkill({ id: "x1", description: "ledger audit 合同" }),
    sampleSkill({ id: "x2", description: "audit ledger" }),
  ];
  const weights = termWeights(skills, "bigrams");
  const [alone, two, three] = [idf(3, 1), idf(3, 2), idf(3, 3)];
  const { pairs, count } = termOverlaps(weights, { least: 0, most: 9 });

  expect(pairs.map(({ skills: ids }) => ids.join())).toEqual(["x1,x2", "x2,x3", "x1,x3"]);
  expect(pairs[0]?.likeness).toBeCloseTo((two + three) / (two + three + 3 * alone), 5);
  expect(pairs[0]?.shared).toEqual(["audit", "ledger"]);
  expect(count).toBe(3);
  expect(termOverlaps(weights, { least: 0.9, most: 9 })).toEqual({ pairs: [], count: 0 });
  expect(termOverlaps(weights, { least: 0, most: 1 })).toEqual({ pairs: pairs.slice(0, 1), count: 3 });
  const reversed = termWeights([...skills].reverse(), "bigrams");
  expect(termOverlaps(reversed, { least: 0, most: 9 }).pairs).toEqual(pairs);
});

test("words that all skills have are not followed, and no pair is missed", () => {
  const words = fc.array(fc.constantFrom("audit", "bill", "chart", "draft", "entry", "ledger"), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), fc.constantFrom(0.1, 0.3, 0.7), (texts, least) => {
      const skills = texts.map((text, n) =>
        sampleSkill({ id: `x${n}`, description: `use ledger ${text.join(" ")}` }),
      );
      const weights = termWeights(skills, "bigrams");
      const all = termOverlaps(weights, { least: 0, most: 99 }).pairs;

      const enough = all.filter(({ likeness }) => likeness >= least);
      expect(termOverlaps(weights, { least, most: 99 })).toEqual({ pairs: enough, count: enough.length });
    }),
  );
});

test("of the sample catalog those about contracts share that word", () => {
  const { pairs } = termOverlaps(termWeights(sampleCatalog, "bigrams"), { least: 0.01, most: 999 });
  const pair = pairs.find(({ skills }) => skills.join() === "contract-draft,contract-review");

  expect(pair?.shared).toContain("合同");
});
