import { expect, test } from "vitest";
import type { ConfusionRow } from "../src/contract/trigger-report.ts";
import { confusionGrid } from "./confusion-grid.ts";
import { shadeOf } from "./shade-of.ts";

function row(intended: string | null, chosen: Record<string, number>, none = 0, undecided = 0): ConfusionRow {
  return { intended, chosen, none, undecided };
}

test("skills stand in the same order down and across, nobody last, and the right field is known", () => {
  const grid = confusionGrid([row(null, { b: 1 }, 4), row("c", { c: 2, a: 1 }), row("a", { a: 3 }, 1)]);

  expect(grid.skills).toEqual(["a", "b", "c"]);
  expect(grid.rows.map(({ intended, counts, total, right }) => [intended, counts, total, right])).toEqual([
    ["a", [3, 0, 0, 1], 4, 0],
    ["c", [1, 0, 2, 0], 3, 2],
    [null, [0, 1, 0, 4], 5, 3],
  ]);
});

test("undecided requests have a column only where there are some, and belong to the total of their row", () => {
  expect(confusionGrid([row("a", { a: 1 })]).hasUndecided).toBe(false);

  const { rows, hasUndecided } = confusionGrid([row("a", { a: 1 }, 0, 2)]);
  expect(hasUndecided).toBe(true);
  expect(rows[0]).toMatchObject({ counts: [1, 0, 2], total: 3 });
});

test("of too many skills those that were mistaken most are shown, and how many were left out is known", () => {
  const rows = [row("a", { a: 5 }), row("b", { d: 2 }), row("c", { c: 1, d: 1 }), row("d", { d: 9 })];

  const grid = confusionGrid(rows, 2);

  expect(grid.skills).toEqual(["b", "d"]);
  expect(grid.rows.map(({ intended }) => intended)).toEqual(["b", "d"]);
  expect(grid.leftOut).toBe(2);
});

test("a skill may have any name", () => {
  const chosen = JSON.parse('{"__proto__": 1, "constructor": 2}');
  const grid = confusionGrid([row("constructor", chosen)]);

  expect(grid.skills).toEqual(["__proto__", "constructor"]);
  expect(grid.rows[0]?.counts).toEqual([1, 2, 0]);
});

test("only nothing is not shaded, and only all is shaded fully", () => {
  expect([0, 1, 25, 50, 99, 100].map((count) => shadeOf(count, 100))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(shadeOf(0, 0)).toBe(0);
});
