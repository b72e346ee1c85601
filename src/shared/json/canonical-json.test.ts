import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, sha256 } from "./canonical-json.ts";

test("the order of keys does not matter", () => {
  expect(canonicalJson({ b: 1, a: { d: 2, c: 3 } })).toBe('{"a":{"c":3,"d":2},"b":1}');
});

test("the order of a list does", () => {
  expect(canonicalJson([2, 1])).toBe("[2,1]");
});

test("it says the same as JSON, only in order", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

test("values that differ give texts that differ", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
      const isSame = canonicalJson(a) === canonicalJson(b);
      if (isSame) expect(JSON.parse(JSON.stringify(a))).toEqual(JSON.parse(JSON.stringify(b)));
    }),
  );
});

test("what is undefined is left out, as JSON does it", () => {
  expect(canonicalJson({ a: undefined, b: [undefined] })).toBe('{"b":[null]}');
});

test("a key like __proto__ is a key", () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":2}'))).toBe('{"__proto__":2,"b":1}');
});

test("a hash says how it was made", () => {
  expect(sha256("")).toBe("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  expect(sha256("ü")).toBe(sha256(Buffer.from("ü")));
});
