import { describe, expect, test } from "vitest";
import { compileSchema, ValidationOverran } from "./json-schema.ts";

function problemsOf(schema: unknown, value: unknown): string[] {
  const compiled = compileSchema(schema);
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.validate(value);
}

describe("drafts", () => {
  const tuple = { type: "array", prefixItems: [{ type: "string" }], items: false };

  test("2020-12 when $schema says so, with or without a closing #", () => {
    const $schema = "https://json-schema.org/draft/2020-12/schema";
    expect(problemsOf({ $schema, ...tuple }, ["a"])).toEqual([]);
    expect(problemsOf({ $schema: `${$schema}#`, ...tuple }, [1])).toEqual(["/0 must be string"]);
  });

  test("draft-07 otherwise: it does not know prefixItems, and says so", () => {
    expect(compileSchema(tuple)).toMatchObject({
      ok: false,
      problem: expect.stringContaining("prefixItems"),
    });
    const $schema = "http://json-schema.org/draft-07/schema#";
    expect(problemsOf({ $schema, items: [{ type: "string" }] }, [1])).toEqual(["/0 must be string"]);
  });

  test("a $schema that is not text is a problem", () => {
    expect(compileSchema({ $schema: 7, type: "string" }).ok).toBe(false);
  });
});

describe("one schema knows nothing of another", () => {
  test("two schemas with the same $id do not clash", () => {
    const $id = "https://example.com/thing";
    expect(problemsOf({ $id, type: "string" }, 1)).toEqual(["(root) must be string"]);
    expect(problemsOf({ $id, type: "number" }, 1)).toEqual([]);
    expect(problemsOf({ $id, type: "string" }, 1)).toEqual(["(root) must be string"]);
  });

  test("nor do two with the same $id further inside", () => {
    const withPart = (type: string) => ({
      definitions: { part: { $id: "https://example.com/part", type } },
      properties: { a: { $ref: "https://example.com/part" } },
    });
    expect(problemsOf(withPart("string"), { a: 1 })).toEqual(["/a must be string"]);
    expect(problemsOf(withPart("number"), { a: 1 })).toEqual([]);
  });

  test("what one defines, another cannot refer to", () => {
    problemsOf({ $id: "https://example.com/mine", type: "string" }, "x");
    expect(compileSchema({ $ref: "https://example.com/mine" }).ok).toBe(false);
  });

  test("a schema cannot replace the draft itself", () => {
    compileSchema({ $id: "http://json-schema.org/draft-07/schema#", type: "string" });
    expect(compileSchema({ type: "strin" }).ok).toBe(false);
    expect(problemsOf({ type: "string" }, "x")).toEqual([]);
  });
});

test("references inside a schema work, by pointer and by its own $id", () => {
  const schema = {
    $id: "https://example.com/tree",
    definitions: { leaf: { type: "integer" } },
    properties: { a: { $ref: "#/definitions/leaf" }, b: { $ref: "https://example.com/tree" } },
  };
  expect(problemsOf(schema, { b: { b: { a: "x" } } })).toEqual(["/b/b/a must be integer"]);
});

test("formats are checked", () => {
  expect(problemsOf({ type: "string", format: "email" }, "nobody")).toEqual([
    '(root) must match format "email"',
  ]);
  expect(problemsOf({ type: "string", format: "date-time" }, "2026-02-28T10:00:00Z")).toEqual([]);
});

test("allowed values and forbidden members are named", () => {
  expect(problemsOf({ enum: ["a", 1] }, "b")).toEqual([
    '(root) must be equal to one of the allowed values: ["a",1]',
  ]);
  expect(problemsOf({ const: null }, "b")).toEqual(["(root) must be equal to constant: null"]);
});

test("at most 20 messages are made, each of them short", () => {
  const problems = problemsOf(
    { type: "object", additionalProperties: { type: "string" } },
    Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${"x".repeat(1000)}`, n])),
  );
  expect(problems).toHaveLength(20);
  expect(problems.every((problem) => problem.length <= 300)).toBe(true);
});

test.each([[null], [[]], ["x"], [5], [undefined]])("%j is not a schema", (schema) => {
  expect(compileSchema(schema)).toEqual({ ok: false, problem: "a schema is an object or a boolean" });
});

test("an asynchronous schema is refused: its answer would be a promise, and a promise is true", () => {
  expect(compileSchema({ $async: true, type: "string" }).ok).toBe(false);
});

test("a comparison of everything with everything is stopped as well", () => {
  const value = Array.from({ length: 200_000 }, (_, n) => [n]);
  expect(() => problemsOf({ type: "array", uniqueItems: true }, value)).toThrow(ValidationOverran);
});

test("after a check that was stopped the next one works", () => {
  expect(() => problemsOf({ pattern: "^(a+)+$" }, `${"a".repeat(40)}!`)).toThrow(ValidationOverran);
  expect(problemsOf({ type: "string", pattern: "^(a+)+$" }, "aaa")).toEqual([]);
});

describe("patterns", () => {
  test("plain and grouped ones match as ever", () => {
    expect(problemsOf({ type: "string", pattern: "^[a-z]+$" }, "abc")).toEqual([]);
    expect(problemsOf({ type: "string", pattern: "^(ab|cd)+$" }, "abcd")).toEqual([]);
    expect(problemsOf({ type: "string", pattern: "^(ab|cd)+$" }, "abd")).toEqual([
      '(root) must match pattern "^(ab|cd)+$"',
    ]);
    expect(problemsOf({ type: "string", pattern: "a+$" }, `${"b".repeat(1000)}a`)).toEqual([]);
    expect(problemsOf({ patternProperties: { "^(x-)": { type: "number" } } }, { "x-a": "1" })).toEqual([
      "/x-a must be number",
    ]);
  });

  test("two patterns of one schema are not mixed up", () => {
    const schema = { properties: { a: { pattern: "^(a)$" }, b: { pattern: "^(b)$" } } };
    expect(problemsOf(schema, { a: "a", b: "b" })).toEqual([]);
  });

  test("one of more than 1000 characters is a problem", () => {
    expect(compileSchema({ pattern: "a".repeat(1001) }).ok).toBe(false);
  });
});

test("what a `not` with a description rules out is said in its words", () => {
  const compiled = compileSchema({
    not: { description: "needs a colour", properties: { color: { const: null } } },
  });
  if (!compiled.ok) throw new Error(compiled.problem);

  expect(compiled.violations({ color: null })).toEqual([{ pointer: "", reason: "needs a colour" }]);
  expect(compiled.violations({ color: "red" })).toEqual([]);
});

test("violations have their location apart, and members that are missing or not allowed are named by their own", () => {
  const compiled = compileSchema({
    type: "object",
    properties: { "a/b": { type: "array", items: { type: "integer" } }, c: { required: ["d~e"] } },
    additionalProperties: false,
  });
  if (!compiled.ok) throw new Error(compiled.problem);

  expect(compiled.violations({ "a/b": [1, "2"], c: {}, f: 1 })).toEqual([
    { pointer: "/f", reason: "is not allowed" },
    { pointer: "/a~1b/1", reason: "must be integer" },
    { pointer: "/c/d~0e", reason: "is required" },
  ]);
  expect(compiled.violations(7)).toEqual([{ pointer: "", reason: "must be object" }]);
  expect(compiled.violations({})).toEqual([]);
});

/** Of the official test suite: what was decided wrongly, or refused, before 2020-12 was evaluated here. */
describe("what the compiler gets wrong", () => {
  const modern = (schema: object) => ({ $schema: "https://json-schema.org/draft/2020-12/schema", ...schema });
  const isValid = (schema: object, value: unknown) => problemsOf(schema, value).length === 0;
  const numbers = { $id: "numbers", $defs: { t: { $dynamicAnchor: "item", type: "number" } }, $ref: "list" };
  const lists = {
    $id: "https://example.com/start",
    $defs: {
      numbers,
      list: {
        $id: "list",
        type: "array",
        items: { $dynamicRef: "#item" },
        $defs: { any: { $dynamicAnchor: "item" } },
      },
    },
    $ref: "numbers",
  };

  test.each<[string, object, unknown, boolean]>([
    ["$dynamicRef, as the outermost anchor says", lists, [1, 2], true],
    ["$dynamicRef, against what it says", lists, ["a"], false],
    [
      "$dynamicRef to an $anchor",
      { $defs: { a: { $anchor: "a", type: "string" } }, items: { $dynamicRef: "#a" } },
      ["x"],
      true,
    ],
    [
      "$dynamicRef to false",
      { properties: { a: { $dynamicRef: "#/$defs/no" } }, $defs: { no: false } },
      { a: 1 },
      false,
    ],
    ["$anchor", { $ref: "#a", $defs: { a: { $anchor: "a", type: "integer" } } }, "x", false],
    [
      "relative references between embedded schemas",
      {
        $id: "https://a.b/root",
        $ref: "inner",
        $defs: {
          i: { $id: "inner", properties: { x: { $ref: "text" } } },
          t: { $id: "text", type: "string" },
        },
      },
      { x: 1 },
      false,
    ],
    [
      "unevaluatedItems beside contains",
      { prefixItems: [true], contains: { type: "string" }, unevaluatedItems: false },
      [1, "foo", 2],
      false,
    ],
    [
      "unevaluatedItems, all contained",
      { contains: { type: "string" }, minContains: 0, unevaluatedItems: false },
      ["a", "b"],
      true,
    ],
    [
      "unevaluatedItems beside nested items",
      { unevaluatedItems: { type: "boolean" }, anyOf: [{ items: { type: "string" } }, true] },
      ["yes", false],
      false,
    ],
    [
      "unevaluatedProperties beside if alone",
      { if: { patternProperties: { foo: { type: "string" } } }, unevaluatedProperties: false },
      { foo: "a" },
      true,
    ],
    [
      "unevaluatedProperties, against it",
      {
        if: { properties: { a: true }, required: ["a"] },
        else: { properties: { b: true } },
        unevaluatedProperties: false,
      },
      { a: 1, b: 2 },
      false,
    ],
    ["an empty enum", { enum: [] }, 1, false],
    ["a format for all languages", { format: "iri" }, "http://ƒøø.ßår/?∂éœ=πîx#πîüx", true],
    ["such a format, against it", { format: "idn-email" }, "2962", false],
    [
      "the draft itself as a schema",
      { $ref: "https://json-schema.org/draft/2020-12/schema" },
      { minLength: -1 },
      false,
    ],
  ])("is right about %s", (_, schema, value, expected) => {
    expect(isValid(modern(schema), value)).toBe(expected);
  });

  test.each([undefined, "https://json-schema.org/draft/2020-12/schema"])(
    "a member called __proto__ is one like any other (%s)",
    ($schema) => {
      const schema = JSON.parse(
        '{"properties": {"__proto__": {"type": "number"}}, "additionalProperties": false}',
      );
      expect(problemsOf({ ...schema, $schema }, JSON.parse('{"__proto__": "x"}'))).toEqual([
        "/__proto__ must be number",
      ]);
      expect(problemsOf({ ...schema, $schema }, JSON.parse('{"__proto__": 1}'))).toEqual([]);
    },
  );

  test("in draft-07 too, the draft may be referred to, and what stands beside a $ref counts", () => {
    expect(isValid({ $ref: "http://json-schema.org/draft-07/schema#" }, { minLength: -1 })).toBe(false);
    const beside = { definitions: { list: { type: "array" } }, $ref: "#/definitions/list", maxItems: 1 };
    expect(isValid(beside, [1, 2])).toBe(false);
  });

  test.each([
    ["if without then and else", { if: { const: 1 } }],
    ["minContains without contains", { minContains: 2 }],
    ["additionalItems beside one schema for all", { items: {}, additionalItems: false }],
    ["a property that a pattern matches too", { properties: { foo: {} }, patternProperties: { f: {} } }],
  ])("%s has no effect, and is no mistake", (_, schema) => {
    const isOld = "additionalItems" in schema;
    expect(compileSchema(isOld || "properties" in schema ? schema : modern(schema)).ok).toBe(true);
  });

  test.each<[object, string]>([
    [{ propertees: {} }, "propertees"],
    [{ type: "strin" }, "strin"],
    [{ $ref: "https://example.com/elsewhere" }, "$ref cannot be resolved: https://example.com/elsewhere"],
    [{ properties: { a: { pattern: "(" } } }, "("],
    [{ items: { format: "postcode" } }, 'unknown format "postcode"'],
    [{ required: "a" }, "required must be a list"],
    [{ properties: [] }, "properties must be an object"],
  ])("a mistake in 2020-12 is found before the first value: %j", (schema, problem) => {
    expect(compileSchema(modern(schema))).toMatchObject({
      ok: false,
      problem: expect.stringContaining(problem),
    });
  });

  test("formats are checked in both drafts, unless that is switched off", () => {
    for (const schema of [{ format: "date" }, modern({ format: "date" })]) {
      expect(isValid(schema, "tomorrow")).toBe(false);
      const compiled = compileSchema(schema, { ignoresFormats: true });
      expect(compiled.ok && compiled.validate("tomorrow")).toEqual([]);
    }
  });
});
