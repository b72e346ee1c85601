import { expect, test } from "vitest";
import { makeCard } from "./make-card.ts";

test("a card that fits is what the skill says", () => {
  const skill = { description: "d".repeat(2000), triggers: ["a"], notFor: ["😀".repeat(300)] };
  expect(makeCard(skill)).toEqual({ ...skill, cuts: [] });
});

test("what does not fit ends in a mark, within the cap, and never in half a character", () => {
  const many = Array.from({ length: 50 }, (_, index) => `t${index}`);
  const card = makeCard({ description: "😀".repeat(2001), triggers: many, notFor: ["a", "n".repeat(301)] });

  expect(card.description).toBe(`${"😀".repeat(1983)}[...truncated...]`);
  expect(card.triggers).toEqual(many.slice(0, 40));
  expect(card.notFor).toEqual(["a", `${"n".repeat(283)}[...truncated...]`]);
  expect(card.cuts).toEqual([
    "description has 2001 characters and is cut at 2000",
    "triggers has 50 entries and is cut at 40",
    "not_for[1] has 301 characters and is cut at 300",
  ]);
});
