import fc from "fast-check";
import { expect, test } from "vitest";
import type { Block } from "../../contract/view.ts";
import { sampleInterval } from "../../store/samples.ts";
import { codeSpan, fence, markdownBlock, markdownLine, markdownText } from "./markdown-blocks.ts";

const shown = (block: Block, limits = { lines: 5, rows: 2, differences: 2 }) =>
  markdownBlock(block, limits).join("\n\n");

test("a table has its units, and says how many rows are left out", () => {
  expect(
    shown({
      kind: "table",
      title: "Tags",
      columns: [{ label: "Tag" }, { label: "Rate", unit: "share" }],
      rows: [
        ["math", 0.5],
        ["a|b\nc", null],
        ["third", 1],
      ],
    }),
  ).toBe(
    [
      "**Tags**",
      "",
      "| Tag       |  Rate |",
      "| --------- | ----: |",
      "| math      | 50.0% |",
      "| a\\|b<br>c |     – |",
      "",
      "… and 1 more: see the JSON report",
    ].join("\n"),
  );
});

test("facts are a table, or one line where there is little room", () => {
  const facts = {
    kind: "facts",
    facts: [
      {
        label: "Rate",
        value: 0.5,
        unit: "share",
        interval: sampleInterval(0.2, 0.8, { cases: 20, trials: 60 }),
        note: "1 of 2",
      },
      { label: "Model", value: "a*b" },
    ],
  } as const;

  expect(shown(facts).split("\n")[2]).toMatch(
    /^\| Rate +\| 50\.0% \\\[20\.0–80\.0\\\] for cases like these \(20 cases × 3\) \| 1 of 2 \|$/,
  );
  expect(markdownBlock(facts, { lines: 1, rows: 1, differences: 1, isCompact: true })).toEqual([
    "Rate: 50.0% \\[20.0–80.0\\] for cases like these (20 cases × 3), 1 of 2 · Model: a\\*b",
  ]);
  const lines = { label: "Actual", value: '```json\n{"n": 1}\n```' };
  const compact = { lines: 9, rows: 1, differences: 1, isCompact: true };
  expect(
    markdownBlock({ kind: "facts", title: "protocol", facts: [lines, ...facts.facts] }, compact),
  ).toEqual([
    "**protocol**: Rate: 50.0% \\[20.0–80.0\\] for cases like these (20 cases × 3), 1 of 2 · Model: a\\*b",
    "Actual:",
    '````\n```json\n{"n": 1}\n```\n````',
  ]);
  expect(shown({ kind: "facts", title: "Nothing", facts: [] })).toBe("");
});

test("a diff shows every difference it has room for as a patch", () => {
  expect(shown({ kind: "diff", expected: [1, 2, 3], actual: [4, 5, 6] })).toBe(
    "```diff\n  $[0]\n- 1\n+ 4\n  $[1]\n- 2\n+ 5\n  … and 1 more difference\n```",
  );
  expect(shown({ kind: "diff", expected: 1, actual: 1 })).toBe("the same value: `1`");
});

test("a short value is within the line of its title, a long one between fences, cut in its middle", () => {
  expect(shown({ kind: "code", title: "Input", code: '{\n  "n": 5\n}' })).toBe('**Input**: `{"n": 5}`');
  expect(shown({ kind: "code", title: "Input", code: "1\n2\n3\n4\n5\n6\n7", language: "py`thon" })).toBe(
    "**Input**\n\n```python\n1\n2\n… 3 more lines …\n6\n7\n```",
  );
});

test("a timeline is a list whose items have all their lines", () => {
  const events = [
    { atMs: 1200, label: "tool read_file", text: "first\n- second" },
    { atMs: null, label: "model", text: "writes", quote: "# a\n```\nb", cut: 1200 },
    { atMs: null, label: "model", text: "" },
  ];

  expect(shown({ kind: "timeline", events, note: "Left out: *much*" })).toBe(
    [
      "- 1.2 s · **tool read_file**: first  \n  \\- second\n- **model**: writes",
      "  ````\n  # a\n  ```\n  b\n  … 1,200 more characters\n  ````\n\n- **model**",
      "Left out: \\*much\\*",
    ].join("\n\n"),
  );
});

test("matrices and bars are tables", () => {
  const cells = [[{ value: 3 }, { value: null }]];

  expect(shown({ kind: "matrix", rows: ["calc"], columns: ["yes", "no"], cells })).toContain(
    "| calc |   3 |   – |",
  );
  expect(
    shown({
      kind: "bars",
      bars: [
        { label: "none", value: 1 },
        { label: "one", value: 4 },
      ],
    }),
  ).toContain("| none |     1 | █████");
});

test("lines stay lines, indented ones with their indentation", () => {
  expect(markdownText("one\n\n# two", 9)).toBe("one  \n  \n\\# two");
  expect(markdownText("Traceback:\n  File *x*\n", 9)).toBe("```\nTraceback:\n  File *x*\n```");
});

test.each([
  ["- item", "\\- item"],
  ["+1", "\\+1"],
  ["===", "\\==="],
  ["12. twelve", "12\\. twelve"],
  ["1) one", "1\\) one"],
  ["2026 was good", "2026 was good"],
  ["    code", "code"],
])("the line %j begins nothing", (text, line) => {
  expect(markdownLine(text)).toBe(line);
});

test("nothing inside of code ends it", () => {
  expect(codeSpan("a ``b`` c")).toBe("```a ``b`` c```");
  expect(codeSpan("`a`")).toBe("`` `a` ``");
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ `~a]{0,9}$/)), (lines) => {
      const [open = "", ...rest] = fence(lines).split("\n");
      const isClosing = (line: string) => new RegExp(`^ {0,3}${open}\`* *$`).test(line);
      expect(rest.findIndex(isClosing)).toBe(lines.length);
    }),
  );
});
