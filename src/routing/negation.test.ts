import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { clauseEnds, Negation, negators, notNegators } from "./negation.ts";
import { PhraseIndex } from "./phrase-index.ts";
import { normalise } from "./query-text.ts";

/** Whether a phrase is negated in a message. */
function polarity(message: string, phrase: string): "hit" | "negated" | "absent" {
  const index = new PhraseIndex<null>();
  index.add(normalise(phrase), null);
  const normal = normalise(message);
  const positions = index.find(normal).get(normalise(phrase))?.positions;
  if (positions === undefined) return "absent";
  const negation = new Negation(normal);
  return positions.every((position) => negation.covers(position)) ? "negated" : "hit";
}

describe("the table of the reference", () => {
  test.for([
    ["不要创建PPT，只要大纲", "创建PPT", "negated"],
    ["不要创建PPT，只要大纲", "大纲", "hit"],
    ["别忘了排版", "排版", "hit"],
    ["特别需要排版", "排版", "hit"],
    ["先别排版，等会儿再排版", "排版", "hit"],
    ["don't build slides, write an outline instead", "slides", "negated"],
    ["don't build slides, write an outline instead", "outline", "hit"],
  ] as const)("%s: %s is %s", ([message, phrase, expected]) => {
    expect(polarity(message, phrase)).toBe(expected);
  });
});

describe("every negator negates what follows it, and nothing before it", () => {
  test.for([...negators.unspaced, "请勿", "千万别"])("%s", (negator) => {
    expect(polarity(`${negator}排版`, "排版")).toBe("negated");
    expect(polarity(`排版${negator}`, "排版")).toBe("hit");
  });

  test.for([...negators.spaced, "do not", "does not", "Don’t", "NEVER", "DOES NOT"])("%s", (negator) => {
    expect(polarity(`please ${negator} use slides`, "slides")).toBe("negated");
    expect(polarity(`slides ${negator} use`, "slides")).toBe("hit");
  });
});

describe("words that only look like negators negate nothing", () => {
  test.for(notNegators.unspaced)("%s", (word) => {
    expect(polarity(`${word}排版`, "排版")).toBe("hit");
  });

  test.for([...notNegators.spaced, "nothing but", "another", "knot", "skipper", "no-code", "skip-level"])(
    "%s",
    (word) => {
      expect(polarity(`${word} slides`, "slides")).toBe("hit");
    },
  );
});

describe("a clause ends", () => {
  test.for([...clauseEnds.marks, "．　", ". "])("at %j", (mark) => {
    expect(polarity(`不要做表格${mark}排版`, "排版")).toBe("hit");
    expect(polarity(`do not add tables${mark}slides`, "slides")).toBe("hit");
  });

  test.for(clauseEnds.unspaced)("at %s", (word) => {
    expect(polarity(`不要表格${word}排版`, "排版")).toBe("hit");
  });

  test.for(clauseEnds.spaced)("at %s", (word) => {
    expect(polarity(`do not add tables ${word} make slides`, "slides")).toBe("hit");
  });

  test.for([
    ["do not open a.txt or slides", "slides", "negated"],
    ["不要表格、图表、排版", "排版", "negated"],
    ["don't write the butter slides", "slides", "negated"],
    ["rather than slides", "slides", "negated"],
    ["an outline instead of slides", "slides", "negated"],
    ["an outline instead of slides", "outline", "hit"],
    ["do not write code instead make slides", "slides", "hit"],
  ] as const)("nowhere else: %s", ([message, phrase, expected]) => {
    expect(polarity(message, phrase)).toBe(expected);
  });
});

describe("a negator reaches", () => {
  test.for([
    ["不要一二三四五六七八九十排版", "negated"],
    ["不要一二三四五六七八九十百排版", "hit"],
    ["不要 一 二 三（四）五 排版", "negated"],
    ["don't one two three four five 排版", "negated"],
    ["don't one two three four five six 排版", "hit"],
    ["不要 one two 一二三 three 排版", "negated"],
    ["不要 1 2 3 4 5 6 排版", "hit"],
    ["don't it's it's it's it's it's 排版", "negated"],
  ] as const)("10 characters or 5 words: %s is %s", ([message, expected]) => {
    expect(polarity(message, "排版")).toBe(expected);
  });
});

describe("more messages", () => {
  test.for([
    ["这次不用排版，只改错别字", "排版", "negated"],
    ["无需翻译，润色即可", "润色", "hit"],
    ["我不想写周报", "写周报", "negated"],
    ["不是要翻译而是要润色", "翻译", "negated"],
    ["不是要翻译而是要润色", "润色", "hit"],
    ["不仅要翻译，还要润色", "翻译", "hit"],
    ["要不要排版？", "排版", "hit"],
    ["别漏了发票", "发票", "hit"],
    ["分别核对发票", "核对发票", "hit"],
    ["别的发票也核对发票", "核对发票", "hit"],
    ["类别不要排版", "排版", "negated"],
    ["排版，别排版", "排版", "hit"],
    ["不用排版不用翻译", "翻译", "negated"],
    ["不用排版", "不用排版", "hit"],
    ["请不要使用PPT", "ppt", "negated"],
    ["No, make slides", "slides", "hit"],
    ["no slides please", "slides", "negated"],
    ["why not make slides?", "slides", "hit"],
    ["not only slides", "slides", "hit"],
    ["don’t forget the slides", "slides", "hit"],
    ["Do not forget the slides", "slides", "hit"],
    ["write it without slides. Then make slides", "slides", "hit"],
    ["skip the slides\nand send an outline", "outline", "hit"],
    ["avoid slides but make an outline", "outline", "hit"],
    ["I never use slides", "slides", "negated"],
    ["make slides, not an outline", "outline", "negated"],
    ["make slides, not an outline", "slides", "hit"],
    ["get the planet", "et", "absent"],
    ["get ET data", "et", "hit"],
    ["用et打开", "et", "hit"],
    ["ＰＰＴ", "ppt", "hit"],
    ["café", "caf", "absent"],
    ["v2", "v", "absent"],
    ["C++ code", "c++", "hit"],
    ["meeting   minutes", "meeting minutes", "hit"],
  ] as const)("%s: %s is %s", ([message, phrase, expected]) => {
    expect(polarity(message, phrase)).toBe(expected);
  });
});

test("any text can be asked about, and a negator far away never matters", () => {
  const words = fc.constantFrom(
    ...negators.unspaced,
    ...negators.spaced,
    "排版",
    "slides",
    ", ",
    " ",
    "一",
    "but",
    "别忘",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(words, fc.string({ unit: "grapheme" }))), (parts) => {
      const normal = normalise(parts.join(""));
      const covered = new Negation(normal);
      for (let position = 0; position <= normal.length; position++)
        expect(typeof covered.covers(position)).toBe("boolean");
      expect(polarity(`${parts.join("")} 一二三四五六七八九十百排版`, "排版")).not.toBe("negated");
    }),
    { numRuns: 50 },
  );
});

test("a long message takes no longer than it must", () => {
  for (const part of ["no ", "别", "don't ....", "不要，", "特", "a"])
    expect(typeof new Negation(part.repeat(20_000)).covers(10_000)).toBe("boolean");
});
