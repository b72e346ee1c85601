import { expect, test } from "vitest";
import { checkableValues, occursIn } from "./continuation.ts";

test.each<[unknown, string, boolean]>([
  [3, "共3处", true],
  [3, "3.", true],
  [3, "1-3", true],
  [3, "３ 处", true],
  [3, "13", false],
  [3, "30", false],
  [3, "3.5", false],
  [3, "2.3", false],
  [3, "v1.2.3", false],
  [3, "03", false],
  [3, "-3", false],
  [-3, "it fell by -3", true],
  [-3, "\u22123", true],
  [-3, "3", false],
  [0, "0 risks", true],
  [0, "", false],
  [0.5, "0.50", true],
  [0.125, "12.5%", false],
  [1234567, "1,234,567 元", true],
  [1234, "1,2345", false],
  [1e21, "1e21", true],
  ["第7条", "见第7条。", true],
  ["Total", "total", false],
  ["caf\u00e9", "caf\u0065\u0301", true],
  ['a "b"', '{"x":"a \\"b\\""}', true],
  [true, '{"ok":true}', true],
  [true, "True.", true],
  [true, "untrue", false],
  [false, "true", false],
  [null, "null", false],
])("%j in %j: %s", (value, text, isThere) => {
  expect(occursIn(text)(value)).toBe(isThere);
});

test("of lists and maps all that is in them is looked for, but for what every text has", () => {
  expect(checkableValues({ a: [1, { b: "x" }], c: " ", d: null, e: false })).toEqual([1, "x", false]);
  expect(checkableValues(undefined)).toEqual([]);
  expect(checkableValues(Array.from({ length: 5000 }, (_, n) => n))).toHaveLength(1000);
});
