import fc from "fast-check";
import { expect, test } from "vitest";
import type { Json } from "../../shared/json/json.ts";
import { compactJson, diffJson, patchLines } from "./diff-json.ts";

test("every difference is found, with its path, in the order of the expected value", () => {
  const expected = { name: "Anna", list: [1, 2, 3], same: { deep: true }, "odd key": 1 };
  const actual = { list: [1, 5], same: { deep: true }, "odd key": "1", more: null };

  expect(diffJson(expected, actual)).toEqual([
    { path: "$.name", kind: "missing", expected: "Anna" },
    { path: "$.list[1]", kind: "changed", expected: 2, actual: 5 },
    { path: "$.list[2]", kind: "missing", expected: 3 },
    { path: '$["odd key"]', kind: "changed", expected: 1, actual: "1" },
    { path: "$.more", kind: "extra", actual: null },
  ]);
});

test("a member that an object only inherits is not there", () => {
  expect(diffJson({ toString: 1 }, {})).toEqual([{ path: "$.toString", kind: "missing", expected: 1 }]);
  expect(diffJson(JSON.parse('{"__proto__": 1}'), {})).toEqual([
    { path: "$.__proto__", kind: "missing", expected: 1 },
  ]);
});

test("a value differs from itself nowhere, and from another one somewhere", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const [left, right] = JSON.parse(JSON.stringify([a, b])) as [Json, Json];
      expect(diffJson(left, left)).toEqual([]);
      expect(diffJson(left, right).length === 0).toBe(sorted(left) === sorted(right));
    }),
  );
});

function sorted(value: Json): string {
  return JSON.stringify(value, (_, one) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

test("as lines: what was expected, what came, and where", () => {
  expect(patchLines(50, 51)).toEqual(["- 50", "+ 51"]);
  expect(patchLines("2", 2)).toEqual(['- "2"', "+ 2"]);
  expect(patchLines({ a: 1, b: { c: "x" } }, { b: { c: "y" }, d: [1, { e: 2 }] })).toEqual([
    "  $.a is missing",
    "- 1",
    "  $.b.c",
    '- "x"',
    '+ "y"',
    "  $.d was not expected",
    '+ [1, {"e": 2}]',
  ]);
});

test("a text of several lines is several lines, without those that are the same", () => {
  const lines = (...changed: string[]) => ["1", "2", "3", ...changed, "7", "8", "9"].join("\n");

  expect(patchLines({ text: lines("four", "5", "6") }, { text: lines("4", "5", "six") })).toEqual([
    "  $.text",
    "  2",
    "  3",
    "- four",
    "- 5",
    "- 6",
    "+ 4",
    "+ 5",
    "+ six",
    "  7",
    "  8",
  ]);
  expect(patchLines("a\nb", null)).toEqual(["- a", "- b", "+ null"]);
});

test("of many differences and of long values the beginning is shown, and how much more there is", () => {
  const many = Array.from({ length: 30 }, (_, at) => at);
  const differences = patchLines(many, []);
  const text = patchLines(many.join("\n"), "");

  expect(differences).toHaveLength(41);
  expect(differences.at(-1)).toBe("  … and 10 more differences");
  expect(text.slice(-3)).toEqual(["- 19", "- … 10 more lines", "+ "]);
});

test("JSON on one line is JSON", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(JSON.parse(compactJson(JSON.parse(text))))).toBe(text);
    }),
  );
});

test("a text of several lines inside of JSON has several lines", () => {
  expect(patchLines({ a: 1 }, { a: { text: "one\ntwo" } })).toEqual([
    "  $.a",
    "- 1",
    "+ {",
    '+   "text": "one',
    '+     two"',
    "+ }",
  ]);
});
