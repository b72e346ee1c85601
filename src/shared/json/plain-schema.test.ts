import fc from "fast-check";
import { expect, test } from "vitest";
import { compileSchema } from "./json-schema.ts";
import { isPlainSchema } from "./plain-schema.ts";

test("the schemas that skills usually have are plain", () => {
  const schema = {
    type: "object",
    description: "What it takes",
    properties: {
      query: { type: "string", minLength: 1 },
      many: { type: "array", items: { type: "number" } },
    },
    required: ["query"],
    additionalProperties: false,
  };

  expect(isPlainSchema(schema)).toBe(true);
  expect(isPlainSchema({})).toBe(true);
});

test.each([
  { type: "strng" },
  { typ: "string" },
  { type: [] },
  { properties: { a: { type: "txt" } } },
  { required: "a" },
  { items: [{ type: "string" }] },
  { pattern: "(" },
  { $ref: "#/nowhere" },
  { $schema: "http://example.com/other" },
  null,
  [],
  "string",
])("%j has to be compiled to know", (schema) => {
  expect(isPlainSchema(schema)).toBe(false);
});

test("whatever is called plain does compile", () => {
  const keyword = fc.constantFrom(
    "type",
    "properties",
    "items",
    "required",
    "minLength",
    "minimum",
    "title",
    "$ref",
  );
  const leaf = fc.constantFrom<unknown>(
    "string",
    "object",
    ["null", "string"],
    3,
    -1,
    0.5,
    true,
    null,
    [],
    ["a"],
    {},
  );
  const { schema } = fc.letrec((tie) => ({
    schema: fc.dictionary(keyword, fc.oneof({ depthSize: "small" }, leaf, tie("named"), tie("schema")), {
      maxKeys: 4,
    }),
    named: fc.dictionary(fc.constantFrom("a", "b", "type"), tie("schema"), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(schema, (made) => {
      fc.pre(isPlainSchema(made));
      expect(compileSchema(made)).toMatchObject({ ok: true });
    }),
    { numRuns: 300 },
  );
});
