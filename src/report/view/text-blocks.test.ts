import pc from "picocolors";
import { expect, test } from "vitest";
import type { Block } from "../../contract/view.ts";
import { sampleInterval } from "../../store/samples.ts";
import { blockLines } from "./text-blocks.ts";

function render(block: Block, width = 40): string[] {
  return blockLines(block, { paint: pc.createColors(false), width });
}

test("facts stand below each other, and wrap behind their labels where they have no room", () => {
  const facts = [
    { label: "Recall", value: 0.5, unit: "share", interval: sampleInterval(0.2, 0.8), note: "3 of 6" },
    { label: "P95", value: 42, unit: "ms", note: "of all" },
    { label: "Model", value: "lab/small" },
  ] as const;

  expect(render({ kind: "facts", title: "Figures", facts }, 80)).toEqual([
    "Figures",
    "  Recall  50.0% [20.0–80.0] for cases like these (3 cases), few cases  3 of 6",
    "  P95     42 ms                                                        of all",
    "  Model   lab/small",
  ]);
  expect(render({ kind: "facts", facts }, 24)).toEqual([
    "Recall  50.0%",
    "        [20.0–80.0] for",
    "        cases like these",
    "        (3 cases), few",
    "        cases  3 of 6",
    "P95     42 ms  of all",
    "Model   lab/small",
  ]);
});

test("a table wraps its widest column between words", () => {
  const block = {
    kind: "table",
    columns: [{ label: "Reason" }, { label: "Count", unit: "count" }],
    rows: [
      ["the answer has no such member", 1234],
      ["错误", 2],
    ],
  } as const;

  expect(render(block, 26)).toEqual([
    "Reason             Count",
    "the answer has no  1,234",
    "such member",
    "错误                   2",
  ]);
});

test("no column is narrower than its longest word: heads of figures fold first, then the table is wider", () => {
  const block = {
    kind: "table",
    columns: [{ label: "Case" }, { label: "OK in the end", unit: "count" }, { label: "Host" }],
    rows: [
      ["fixed-not-only-a-plan", 1, "wps"],
      ["et-sum", 12, "et"],
    ],
  } as const;

  expect(render(block, 32)).toEqual([
    "Case                    OK  Host",
    "                        in",
    "                       the",
    "                       end",
    "fixed-not-only-a-plan    1  wps",
    "et-sum                  12  et",
  ]);
  expect(render(block, 20)).toEqual(render(block, 32));
});

test("a matrix is a table where it fits, else what is in it row by row", () => {
  const block = {
    kind: "matrix",
    rows: ["first", "second"],
    columns: ["first", "second"],
    cells: [
      [{ value: 3 }, { value: 0 }],
      [{ value: 1 }, { value: 2 }],
    ],
    unit: "count",
  } as const;

  expect(render(block)).toEqual(["        first  second", "first       3       0", "second      1       2"]);
  expect(render(block, 18)).toEqual(["first: first 3", "second: first 1,", "  second 2"]);
});

test("an event has its time, who it was and all lines of what was said", () => {
  const events = [
    { atMs: 1200, label: "model", text: "first line\nsecond" },
    { atMs: null, label: "tool x", text: "", quote: "one\n\u001b[2J", cut: 1200 },
  ];

  expect(render({ kind: "timeline", events, note: "Left out: much" })).toEqual([
    "+1.2 s  model   first line",
    "                second",
    "        tool x",
    "    │ one",
    "    │ \\e[2J",
    "    │ … 1,200 more characters",
    "Left out: much",
  ]);
});

test("bars are as long as their values, and none that counts is empty", () => {
  const bars = [
    { label: "passed", value: 1000 },
    { label: "failed", value: 1, note: "new" },
    { label: "none", value: 0 },
  ];

  expect(render({ kind: "bars", bars })).toEqual([
    `passed  1,000  ${"█".repeat(30)}`,
    `failed      1  █${" ".repeat(29)}  new`,
    "none        0",
  ]);
});

test("differences are a line each, of texts line by line, without an escaped line break", () => {
  const expected = { a: 1, text: "one\ntwo", gone: { list: ["x\ny"] } };
  const actual = { a: 2, text: "one\n2", more: null };

  expect(render({ kind: "diff", expected, actual }, 80)).toEqual([
    "$.a: expected 1, got 2",
    '$.text line 2: expected "two", got "2"',
    '$.gone: missing, expected {"list": ["x↵y"]}',
    "$.more: unexpected null",
  ]);
});
