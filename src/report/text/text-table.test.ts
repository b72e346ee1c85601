import { expect, test } from "vitest";
import { leftOutHeads, textTable } from "./text-table.ts";
import { textWidth } from "./text-width.ts";

const columns = [
  { head: "Name", least: 4 },
  { head: "Count", align: "right" as const },
  { head: "Note", least: 4, isExpendable: true },
];

test("columns stand below each other, also with letters that take two columns", () => {
  const lines = textTable(
    columns,
    [
      ["天气", "1", "a"],
      ["weather", "20", ""],
    ],
    { width: null },
  );

  expect(lines).toEqual(["Name     Count  Note", "天气         1  a", "weather     20"]);
});

test("where the terminal is narrow the widest columns are cut first", () => {
  const lines = textTable(columns, [["a".repeat(20), "1", "b".repeat(8)]], { width: 26 });

  expect(lines[1]).toBe(`${"a".repeat(8)}…      1  ${"b".repeat(8)}`);
  for (const line of lines) expect(textWidth(line)).toBeLessThanOrEqual(26);
});

test("where cutting is not enough what can be spared is left out", () => {
  const lines = textTable(columns, [["a".repeat(20), "1", "b".repeat(20)]], { width: 14 });

  expect(lines).toEqual(["Name     Count", "aaaaaa…      1"]);
});

test("what was left out can be asked for", () => {
  const rows = [["a".repeat(20), "1", "b".repeat(20)]];

  expect(leftOutHeads(columns, rows, 14)).toEqual(["Note"]);
  expect(leftOutHeads(columns, rows, 26)).toEqual([]);
  expect(leftOutHeads(columns, rows, null)).toEqual([]);
});

test("colour goes on after measuring", () => {
  const paint = (text: string, column: string, row: number) =>
    row === 0 && column === "Name" ? `<${text}>` : text;

  expect(textTable(columns, [["ab", "1", ""]], { width: null, paint })[1]).toBe("<ab  >      1");
});
