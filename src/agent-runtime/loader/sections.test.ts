import { expect, test } from "vitest";
import { findSection, headingLine, headingsIn } from "./sections.ts";

const form = `# Form

intro
## Fields ##

- name

### Dates

day

## Signature

sign
# Other
end`;

test.each([
  ["## Fields", "## Fields ##\n\n- name\n\n### Dates\n\nday\n\n"],
  ["Fields", "## Fields ##\n\n- name\n\n### Dates\n\nday\n\n"],
  ["  ##   Fields  ##  ", "## Fields ##\n\n- name\n\n### Dates\n\nday\n\n"],
  ["Dates", "### Dates\n\nday\n\n"],
  ["### Dates ###", "### Dates\n\nday\n\n"],
  ["Signature", "## Signature\n\nsign\n"],
  ["# Form", form.slice(0, form.indexOf("# Other"))],
  ["Other", "# Other\nend"],
])("%j finds its section up to the next heading of the same or a higher level", (hint, text) => {
  expect(findSection(form, hint)).toMatchObject({ ok: true, text });
});

test.each(["# Fields", "### Fields", "fields", "Field", "##Fields", "", "#", "Fields#"])(
  "%j finds nothing and gets the headings",
  (hint) => {
    const found = findSection(form, hint);
    const headings = found.ok ? [] : found.headings.map(headingLine);
    expect(headings).toEqual(["# Form", "## Fields", "### Dates", "## Signature", "# Other"]);
  },
);

test("the first of several headings that fit is taken", () => {
  expect(findSection("# A\n1\n## B\n2\n# C\n## B\n3", "B")).toMatchObject({ text: "## B\n2\n" });
  expect(findSection("### B\n1\n## B\n2", "## B")).toMatchObject({ text: "## B\n2" });
});

test("spaces inside a heading are folded on both sides, and lines may end in CRLF", () => {
  expect(findSection("#  How \t to  fill\r\nx\r\n# Next\r\n", "How to\tfill")).toMatchObject({
    text: "#  How \t to  fill\r\nx\r\n",
    heading: { level: 1, title: "How to fill", start: 0 },
  });
});

test.each<[string, string[]]>([
  ["#", ["# "]],
  ["# #", ["# "]],
  ["#x", []],
  ["####### x", []],
  ["   # x", ["# x"]],
  ["    # x", []],
  ["\t# x", []],
  ["#\tx", ["# x"]],
  ["# x#", ["# x#"]],
  ["# C #", ["# C"]],
  ["# x \\#", ["# x \\#"]],
  ["> # x", []],
  ["```\n# code\n```\n# x", ["# x"]],
  ["~~~\n# code\n```\n# code\n~~~\n# x", ["# x"]],
  ["````\n```\n# code\n````\n# x", ["# x"]],
  ["```\n# code\n````\n# x", ["# x"]],
  ["```\n# code\n``` no\n# code", []],
  ["```\n# code\n    ```\n# code\n   ```   \n# x", ["# x"]],
  ["``` a`b\n# x", ["# x"]],
  ["~~~ a`b\n# code", []],
  ["``\n# x", ["# x"]],
  ["    ```\n# x", ["# x"]],
  ["  ```sh\n  # code\n  ```\n# x", ["# x"]],
  ["- ```sh\n  # code\n  ```\n# x", ["# x"]],
  ["1. ~~~\n   # code\n\n   # code\n   ~~~\n# x", ["# x"]],
  ["- ```sh\n  # code\n# x\n```\n# code", ["# x"]],
  ["```", []],
  ["", []],
])("the headings of %j are %j", (text, headings) => {
  expect(headingsIn(text).map(headingLine)).toEqual(headings);
});

test("hostile text takes one look at each line", () => {
  const size = 100_000;
  const lines = [
    "#".repeat(size),
    `# ${" ".repeat(size)}x`,
    `# ${"# ".repeat(size)}`,
    "`".repeat(size),
    " ".repeat(size),
  ];
  for (const line of lines) {
    expect(findSection(line, line).ok).toBe(/^# /.test(line));
    expect(findSection(line, "x".repeat(size)).ok).toBe(false);
  }
  expect(headingsIn("#\n".repeat(size))).toHaveLength(size);
  expect(findSection("```\n~~~\n".repeat(size / 4), "x")).toEqual({ ok: false, headings: [] });
});
