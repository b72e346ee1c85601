import fc from "fast-check";
import { expect, test } from "vitest";
import { fitWidth, fitWidthEnd, padWidth, textWidth } from "./text-width.ts";

test.each([
  ["my_calc", 7],
  ["天气", 4],
  ["한국어", 6],
  ["カナ", 4],
  ["é", 1],
  ["e\u0301", 1],
  ["🙂", 2],
  ["…–█✓", 4],
])("%s takes %d columns", (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test("a text is cut before a wide character that would not fit", () => {
  expect(fitWidth("天气技能", 8)).toBe("天气技能");
  expect(fitWidth("天气技能", 6)).toBe("天气…");
  expect(fitWidth("天气技能", 1)).toBe("…");
  expect(fitWidth("天气技能", 0)).toBe("");
});

test("of a path the end is kept", () => {
  expect(fitWidthEnd("references/天气.md:3", 12)).toBe("…s/天气.md:3");
  expect(fitWidthEnd("short.md", 12)).toBe("short.md");
});

test("columns line up beside wide characters", () => {
  expect(padWidth("天气", 6)).toBe("天气  ");
  expect(padWidth("7", 3, "right")).toBe("  7");
  expect(padWidth("too long", 3)).toBe("too long");
});

test("whatever the text, it fits afterwards", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, limit) => {
      expect(textWidth(fitWidth(text, limit))).toBeLessThanOrEqual(limit);
    }),
  );
});
