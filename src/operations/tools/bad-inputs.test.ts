import { expect, test } from "vitest";
import type { JsonSchema } from "../../shared/json/json.ts";
import { badInputs } from "./bad-inputs.ts";

/** What is tried at every pointer, and whether all of it has to be refused. */
function tried(parameters: JsonSchema, good = {}) {
  return [...badInputs(parameters, good)].map(({ pointer, inputs, isEach }) => [
    pointer,
    inputs.map(({ fault }) => fault).join(", "),
    isEach,
  ]);
}

const all = 'is null, is true, is 7, is 1.5, is "hello", is ["hello"], is {"hello":1}';
const but = (...words: string[]) => words.reduce((text, word) => text.replace(`${word}, `, ""), all);

test.each<[what: string, property: JsonSchema, tried: string, isEach: boolean]>([
  ["a type", { type: "string" }, but('is "hello"'), true],
  ["an integer, of which a fraction is none", { type: "integer" }, but("is 7"), true],
  ["a number, of which an integer is one", { type: "number" }, but("is 7", "is 1.5"), true],
  ["types", { type: ["string", "null"] }, but("is null", 'is "hello"'), true],
  ["values", { enum: ["a", 1] }, but("is 7", "is 1.5", 'is "hello"'), true],
  ["one value", { const: false }, but("is true"), true],
  ["a bound without a type", { minimum: 3 }, but("is 7", "is 1.5"), true],
  ["nothing", { description: "any" }, all, false],
  ["a choice", { anyOf: [{ type: "string" }], minimum: 3 }, all, false],
])("a property that says %s", (_, property, faults, isEach) => {
  expect(tried({ type: "object", properties: { a: property } })).toEqual([["/a", faults, isEach]]);
});

test("a property that takes whatever comes is left alone", () => {
  const everything = { type: ["null", "boolean", "number", "string", "array", "object"] };
  expect(tried({ properties: { a: true, b: everything } })).toEqual([]);
  expect(tried(true)).toEqual([]);
});

test("each required property is left out in turn, and the rest stays as it was", () => {
  const parameters = { required: ["a", "__proto__"], properties: { a: { type: "null" } } };
  const good = JSON.parse('{"a":null,"b":1,"__proto__":2}');

  const [withoutA, withoutProto, wrong] = [...badInputs(parameters, good)];

  expect(JSON.stringify(withoutA?.inputs)).toBe('[{"fault":"is missing","arguments":{"b":1,"__proto__":2}}]');
  expect(JSON.stringify(withoutProto?.inputs)).toBe('[{"fault":"is missing","arguments":{"a":null,"b":1}}]');
  expect(JSON.stringify(wrong?.inputs[0])).toBe(
    '{"fault":"is true","arguments":{"a":true,"b":1,"__proto__":2}}',
  );
});
