import { expect, test } from "vitest";
import { judgedSkill } from "../../../../test/sample-judging.ts";
import { shuffledCards } from "./catalog-judge.ts";

const skills = ["a", "b", "c", "d", "e", "f", "g"].map((id) => judgedSkill(id));
const order = (given: { seed: number; query: string; repeat: number }, of = skills) =>
  shuffledCards(of, given)
    .map(({ id }) => id)
    .join("");

test("the order is that of the seed, the query and the repeat, on every machine", () => {
  expect(order({ seed: 0, query: "x", repeat: 0 })).toBe("bedcgaf");
  expect(order({ seed: 0, query: "x", repeat: 0 }, skills.toReversed())).toBe("bedcgaf");
});

test("another seed, query or repeat gives another order, and nobody is lost", () => {
  const first = order({ seed: 0, query: "x", repeat: 0 });
  const others = [
    order({ seed: 1, query: "x", repeat: 0 }),
    order({ seed: 0, query: "y", repeat: 0 }),
    order({ seed: 0, query: "x", repeat: 1 }),
  ];

  for (const other of others) {
    expect(other).not.toBe(first);
    expect([...other].sort().join("")).toBe("abcdefg");
  }
});

test("over many repeats each card stands first about as often as any other", () => {
  const firsts = new Map<string, number>();
  for (let repeat = 0; repeat < 1400; repeat++) {
    const [first = ""] = order({ seed: 7, query: "x", repeat });
    firsts.set(first, (firsts.get(first) ?? 0) + 1);
  }

  for (const { id } of skills) expect(Math.abs((firsts.get(id) ?? 0) - 200)).toBeLessThan(60);
});
