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
