import { expect, test } from "vitest";
import type { OutputContract } from "../contract/output-contract.ts";
import type { JsonSchema } from "../shared/json/json.ts";
import { compileContract } from "./output-contract.ts";

const nothing: OutputContract = { markers: [], maxChars: null, schemas: [] };

function check(text: string, contract: Partial<OutputContract>): string[] {
  const compiled = compileContract({ ...nothing, ...contract });
  if (!compiled.ok) throw new Error(compiled.problem);
  return compiled.check(text).map(({ pointer, reason }) => `${pointer} ${reason}`);
}

const schemas = (...all: JsonSchema[]) => ({
  schemas: all.map((schema, n) => ({ name: `s${n + 1}`, schema })),
});
const object: JsonSchema = { type: "object", required: ["a"], properties: { a: { type: "integer" } } };

test.each<[string, string, Partial<OutputContract>]>([
  ["nothing is promised", "", {}],
  ["markers", "【风险】 and Total", { markers: ["【风险】", "Total"] }],
  ["as many characters as allowed, whatever their size", "𝒳𝒳é核", { maxChars: 4 }],
  ["one JSON value with space around it", '\n {"a": 1} \n', schemas(object)],
  ["a byte order mark is space", '\ufeff{"a":1}', schemas(object)],
  ["a value that is not an object", "[1]", schemas({ type: "array" })],
  ["every schema", '{"a":1}', schemas(object, { maxProperties: 1 })],
])("holds: %s", (_, text, contract) => {
  expect(check(text, contract)).toEqual([]);
});

test.each<[string, string, Partial<OutputContract>, string[]]>([
  [
    "markers as they are written",
    "total",
    { markers: ["Total", "x"] },
    [' lacks the marker "Total"', ' lacks the marker "x"'],
  ],
  ["one character too many", "𝒳𝒳é核.", { maxChars: 4 }, [" has 5 characters, and at most 4 are allowed"]],
  ["space counts", " ab ", { maxChars: 3 }, [" has 4 characters, and at most 3 are allowed"]],
  ["an empty object", "{}", schemas(object), ["/a is required"]],
  ["another type, by its place", '{"a":"1"}', schemas(object), ["/a must be integer"]],
  [
    "all parts, in their order, and each schema by its name",
    '{"a":true}',
    { markers: ["M"], maxChars: 3, ...schemas(object, { maxProperties: 0 }) },
    [
      ' lacks the marker "M"',
      " has 10 characters, and at most 3 are allowed",
      "/a must be integer (s1)",
      " must NOT have more than 0 properties (s2)",
    ],
  ],
])("is broken: %s", (_, text, contract, violations) => {
  expect(check(text, contract)).toEqual(violations);
});

test.each([
  ["", "Unexpected end of JSON input"],
  ["done", "Unexpected token"],
  ['Here: {"a":1}', "Unexpected token"],
  ['```json\n{"a":1}\n```', "Unexpected token"],
  ['{"a":1}{"a":2}', "Unexpected non-whitespace"],
  ['{"a":1,"a":2}', 'duplicate key "a"'],
  ['{"a":1,"\\u0061":2}', 'duplicate key "a"'],
  ['{"a":1e999}', "is not finite"],
  [`${"[".repeat(200)}${"]".repeat(200)}`, "nested deeper than 128 levels"],
])("is not one JSON value: %s", (text, why) => {
  expect(check(text, schemas(object))).toEqual([expect.stringContaining(` is not one JSON value: `)]);
  expect(check(text, schemas(object))[0]).toContain(why);
});

test("at most ten violations are reported, each once, and never that there are others", () => {
  const choice: JsonSchema = {
    type: "array",
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    items: { if: { const: 1 }, then: { type: "string" }, else: { type: "integer", minimum: 5 } },
  };
  const violations = check(JSON.stringify(Array.from({ length: 30 }, (_, n) => -n)), schemas(choice));
  expect(violations).toHaveLength(10);
  expect(violations.join()).not.toContain("else");
  expect(check("[1]", schemas(choice))).toEqual(["/0 must be string"]);
});

test("a check that comes to no end is a violation", () => {
  const slow: JsonSchema = { type: "string", pattern: "^(a+)+$" };
  expect(check(JSON.stringify(`${"a".repeat(40)}!`), schemas(slow))).toEqual([
    " checking the value took longer than 1000 ms (s1)",
  ]);
});

test("a schema that cannot be used is a problem of the contract", () => {
  expect(compileContract({ ...nothing, ...schemas({ tpye: "object" } as JsonSchema) })).toEqual({
    ok: false,
    problem: 'the schema s1 cannot be used: unknown keyword "tpye"; did you mean type?',
  });
});
