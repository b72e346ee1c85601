import { expect, test } from "vitest";
import type { JsonObject } from "../shared/json/json.ts";
import { compileSchema } from "../shared/json/json-schema.ts";
import { exampleValue } from "./sample-value.ts";

test.each<[string, JsonObject]>([
  ["a text", { type: "string", minLength: 9 }],
  ["a short text", { type: "string", maxLength: 2 }],
  ["a mail address", { type: "string", format: "email" }],
  ["a moment", { type: "string", format: "date-time" }],
  ["an integer between bounds", { type: "integer", exclusiveMinimum: 4, maximum: 5 }],
  ["a multiple", { type: "number", multipleOf: 0.5, minimum: 3.2 }],
  ["one of a few", { enum: ["red", "green"] }],
  ["a constant", { const: 7 }],
  ["a list", { type: "array", items: { type: "boolean" }, minItems: 2 }],
  ["one of two shapes", { oneOf: [{ type: "string" }, { type: "number" }] }],
  ["null or a text", { type: ["null", "string"] }],
  [
    "members that must be there",
    { type: "object", properties: { a: { type: "integer" }, b: {} }, required: ["a", "c"] },
  ],
  [
    "parts that add up",
    {
      allOf: [
        { $ref: "#/definitions/Named" },
        { type: "object", properties: { size: { type: "integer" } }, required: ["size"] },
      ],
      definitions: {
        Named: { type: "object", properties: { name: { type: "string" } }, required: ["name"] },
      },
    },
  ],
])("%s fits its own schema", (_, schema) => {
  const compiled = compileSchema(schema);
  expect(compiled.ok && compiled.validate(exampleValue(schema))).toEqual([]);
});

test("where nothing must be there, everything is shown", () => {
  const schema = { type: "object", properties: { q: { type: "string" }, limit: { type: "integer" } } };
  expect(exampleValue(schema)).toEqual({ q: "hello", limit: 1 });
});

test("a schema that leads back to itself in many ways comes to an end", () => {
  const self = { $ref: "#/definitions/A" };
  const members = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`m${n}`, self]));
  const schema = {
    ...self,
    definitions: {
      A: { allOf: [self, self, { type: "object", properties: members, required: Object.keys(members) }] },
    },
  };
  expect(JSON.stringify(exampleValue(schema)).length).toBeLessThan(100_000);
});

test("a list that may be empty has as many items as requested, and never more than it may", () => {
  const list = (more: JsonObject) => ({ type: "array", items: { type: "string" }, ...more });

  expect(exampleValue(list({}))).toEqual([]);
  expect(exampleValue(list({}), { minListItems: 1 })).toEqual(["hello"]);
  expect(exampleValue(list({ maxItems: 0 }), { minListItems: 1 })).toEqual([]);
});
