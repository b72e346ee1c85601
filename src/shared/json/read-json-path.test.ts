import { expect, test } from "vitest";
import { quotesIn, readJsonPath, valueAtSteps } from "./read-json-path.ts";

test.each([
  ["$", []],
  ["$[0].total", [0, "total"]],
  ["$[1].items[2]['a b']", [1, "items", 2, "a b"]],
  ['$[0]["it\'s"].风险-数', [0, "it's", "风险-数"]],
  ["$['a\\'b\\\\']", ["a'b\\"]],
  ["$.__proto__", ["__proto__"]],
  ["", null],
  ["[0]", null],
  ["$[01]", null],
  ["$[-1]", null],
  ["$[*]", null],
  ["$..a", null],
  ["$.a b", null],
  ["$['a", null],
  [`$${".a".repeat(500)}`, null],
] as const)("%s", (path, steps) => {
  expect(readJsonPath(path)).toEqual(steps);
});

test("only what a value has itself is found in it", () => {
  const value = [{ items: ["a", { "b c": null }], length: 3 }];
  const at = (path: string) => valueAtSteps(value, readJsonPath(path) ?? []);

  expect(at("$[0].items[1]['b c']")).toBeNull();
  expect(at("$[0].length")).toBe(3);
  for (const path of ["$.length", "$[0].toString", "$[0].items.length", "$[0].items['0']", "$[1].items"])
    expect(at(path)).toBeUndefined();
});

test("quotes are found in order, and other braces are text", () => {
  expect(quotesIn(`共 \${results[0].total} 处，\${results[1]['a}b']}。\${HOME} \${resultset} $`)).toEqual({
    ok: true,
    quotes: [
      { from: 2, to: 21, steps: [0, "total"] },
      { from: 24, to: 44, steps: [1, "a}b"] },
    ],
  });
});

test.each(["results}", "results.total}", "result[0].total}", "results[0].total", "results[x]}"])(
  "%s is a slip",
  (words) => {
    const text = `$\{${words}`;
    expect(quotesIn(text)).toMatchObject({ ok: false, problem: expect.stringContaining(text) });
  },
);
