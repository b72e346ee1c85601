import { expect, test } from "vitest";
import { schemaFault } from "./schema-fault.ts";

test.each<[string, unknown, (string | number)[], RegExp]>([
  ["null", null, [], /object or a boolean/],
  ["a type nobody knows", { type: "objekt" }, [], /^unknown type "objekt"; did you mean object\?$/],
  ["one of two types", { type: ["string", "nil"] }, [], /^unknown type "nil"; known: array, boolean, /],
  ["a text instead of a schema", { properties: { a: "string" } }, [], /^expected a schema, got text/],
  ["a list that is none", { required: "a" }, [], /^required must be a list$/],
  ["a format nobody knows", { format: "emial" }, [], /^unknown format "emial"$/],
  ["one inside", { properties: { a: { items: { typ: "string" } } } }, ["properties", "a", "items"], /typ/],
  [
    "one beside a reference that only the whole can follow",
    { properties: { a: { $ref: "#/$defs/x" }, b: { allOf: [{}, { minimum: "3" }] } }, $defs: { x: {} } },
    ["properties", "b", "allOf", 1],
    /minimum/,
  ],
  [
    "more than anybody could wait for",
    { properties: Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [n, { pattern: `^${n}` }])) },
    [],
    /more than 5,000 values/,
  ],
  ["a reference to nothing", { $ref: "#/nowhere" }, [], /nowhere/],
  [
    "a part in the draft of the whole",
    {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      properties: { a: { prefixItems: [{ pattern: "(" }] } },
    },
    ["properties", "a", "prefixItems", 0],
    /Unterminated group/,
  ],
])("what is wrong with a schema is reported with its location: %s", async (_, schema, steps, reason) => {
  expect(await schemaFault(schema)).toEqual({ steps, reason: expect.stringMatching(reason) });
});

test.each([[true], [{}], [{ type: "object", properties: { a: { pattern: "^a" } } }]])(
  "nothing is wrong with %j",
  async (schema) => {
    expect(await schemaFault(schema)).toBeNull();
  },
);
