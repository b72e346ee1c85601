import { expect, test } from "vitest";
import { each, pathTree, readPath } from "./watched-path.ts";

test.for([
  ["$", []],
  ["$.a.b_c-d", ["a", "b_c-d"]],
  ["$.a[*].b[12]", ["a", each, "b", 12]],
  ['$["a b"]["\\u0041\\""]', ["a b", 'A"']],
  ["", null],
  ["a.b", null],
  ["$.", null],
  ["$a", null],
  ["$..a", null],
  ["$.a[01]", null],
  ["$.a[-1]", null],
  ["$.a[?(@.b)]", null],
  ['$["\\x"]', null],
  ["$.a b", null],
] as const)("%s is read", ([path, steps]) => {
  expect(readPath(path)).toEqual(steps);
});

test("a path that is none cannot be watched", () => {
  expect(() => pathTree([{ path: "a", mode: "realtime", on: () => {} }])).toThrow("not a path to watch: a");
});
