import { expect, test } from "vitest";
import { alignedLines } from "./text-table.ts";

const rows = [
  ["天气", "1", "a"],
  ["weather", "20", "longer"],
];

test("columns stand below each other, also with letters that take two columns", () => {
  expect(alignedLines(rows)).toEqual(["天气     1   a", "weather  20  longer"]);
  expect(alignedLines([])).toEqual([]);
});

test("numbers stand right, and colour goes on after measuring", () => {
  const paint = (text: string, column: number, row: number) =>
    column === 1 && row === 0 ? `<${text}>` : text;

  expect(alignedLines(rows, { align: ["left", "right", "right"], paint })).toEqual([
    "天气     < 1>       a",
    "weather  20  longer",
  ]);
});
