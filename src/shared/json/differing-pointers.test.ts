import { expect, test } from "vitest";
import { differingPointers } from "./canonical-json.ts";

test.each<[string, unknown, unknown, string[]]>([
  ["equal values", { a: [1, { b: 2 }], c: null }, { c: null, a: [1, { b: 2 }] }, []],
  ["a member", { a: 1, b: 2 }, { a: 1, b: 3 }, ["/b"]],
  ["a member that one lacks", { a: 1 }, { a: 1, b: 3 }, ["/b"]],
  ["deep inside", { a: [{ "x/y": 1 }] }, { a: [{ "x/y": 2 }] }, ["/a/0/x~1y"]],
  ["a list that is longer", { a: [1] }, { a: [1, 2] }, ["/a/1"]],
  ["another kind", { a: [] }, { a: {} }, ["/a"]],
  ["all of it", 1, 2, [""]],
  ["the order of a list", { a: [1, 2] }, { a: [2, 1] }, ["/a/0", "/a/1"]],
  ["a name that objects have", { a: {} }, { a: { constructor: 1 } }, ["/a/constructor"]],
  ["more than the maximum", { a: 1, b: 1, c: 1, d: 1 }, { a: 2, b: 2, c: 2, d: 2 }, ["/a", "/b", "/c"]],
])("%s", (_, one, other, pointers) => {
  expect(differingPointers(one, other, 3).map(({ pointer }) => pointer)).toEqual(pointers);
});
