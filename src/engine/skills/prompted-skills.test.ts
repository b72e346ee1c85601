import fc from "fast-check";
import { expect, test } from "vitest";
import { truncationTag } from "../../shared/text/visible-text.ts";
import { cutPrompts } from "./prompted-skills.ts";

const defaults = { perSkillChars: 4000, totalChars: 12_000 };

test("what fits stays as it is", () => {
  expect(cutPrompts(["a".repeat(4000), "", "规则"], defaults)).toEqual([
    { text: "a".repeat(4000), chars: 4000, truncated: false },
    { text: "", chars: 0, truncated: false },
    { text: "规则", chars: 2, truncated: false },
  ]);
});

test("a character too many is cut, and the cut text ends in the tag within its budget", () => {
  const [cut] = cutPrompts(["a".repeat(4001)], defaults);

  expect(cut).toEqual({
    text: `${"a".repeat(4000 - truncationTag.length)}${truncationTag}`,
    chars: 4000,
    truncated: true,
  });
});

test("the first skills have what there is, the last get the rest or nothing", () => {
  const cut = cutPrompts(["a".repeat(30), "b".repeat(30), "c".repeat(30), ""], {
    perSkillChars: 40,
    totalChars: 70,
  });

  expect(cut.map(({ chars, truncated }) => [chars, truncated])).toEqual([
    [30, false],
    [30, false],
    [0, true],
    [0, false],
  ]);
});

test("characters are counted, and none is cut in half", () => {
  const cut = cutPrompts(["🙂".repeat(50), "🙂".repeat(20)], { perSkillChars: 20, totalChars: 100 });

  expect(cut).toEqual([
    { text: `🙂🙂🙂${truncationTag}`, chars: 20, truncated: true },
    { text: "🙂".repeat(20), chars: 20, truncated: false },
  ]);
});

test("no budget is ever overdrawn, and only what was cut says so", () => {
  const room = fc.integer({ min: 0, max: 60 });
  const prompt = fc
    .array(fc.constantFrom("a", "规", "🙂", "\ud83d", "\n"), { maxLength: 40 })
    .map((characters) => characters.join(""));
  fc.assert(
    fc.property(fc.array(prompt, { maxLength: 5 }), room, room, (prompts, perSkillChars, totalChars) => {
      const cut = cutPrompts(prompts, { perSkillChars, totalChars });
      expect(cut.reduce((sum, { chars }) => sum + chars, 0)).toBeLessThanOrEqual(totalChars);
      for (const [n, { text, chars, truncated }] of cut.entries()) {
        expect([...text].length).toBe(chars);
        expect(chars).toBeLessThanOrEqual(perSkillChars);
        expect(truncated).toBe(text !== prompts[n]);
        if (truncated && text !== "") expect(text.endsWith(truncationTag)).toBe(true);
      }
    }),
  );
});
