import { expect, test } from "vitest";
import { markdownTable, numberColumn, wordColumn } from "./markdown.ts";

const columns = [wordColumn("Skill"), numberColumn("Pass")];

test("a table lines up in its source, wide characters included", () => {
  const text = [
    ...markdownTable(columns, [
      ["my_calc", "57"],
      ["天气", "8"],
    ]),
  ].join("");

  expect(text).toBe(
    ["| Skill   | Pass |", "| ------- | ---: |", "| my_calc |   57 |", "| 天气    |    8 |", ""].join("\n"),
  );
});

test("a table without rows keeps its head", () => {
  expect([...markdownTable(columns, [])]).toHaveLength(2);
});

test("an endless table can be begun, and its source is reported when the reader leaves", () => {
  let isReleased = false;
  function* rows() {
    try {
      for (let n = 0; ; n++) yield [`task_${n}`, "1"];
    } finally {
      isReleased = true;
    }
  }

  const lines: string[] = [];
  for (const line of markdownTable(columns, rows())) if (lines.push(line) === 200) break;

  expect(lines.at(-1)).toContain("task_197");
  expect(isReleased).toBe(true);
});

test("one very long cell does not widen every row", () => {
  const lines = [
    ...markdownTable(columns, [
      ["x".repeat(300), "1"],
      ["y", "2"],
    ]),
  ];

  expect(lines.at(-1)?.length).toBeLessThan(80);
});

test("several lines of a cell are several lines, and nothing else in it is a tag", () => {
  expect([...markdownTable(columns, [["one\r\n  <b>two</b>\n", "1"]])].at(-1)).toContain(
    "| one<br>&lt;b&gt;two&lt;/b&gt; |",
  );
});
