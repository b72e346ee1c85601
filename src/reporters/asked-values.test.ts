import { expect, test } from "vitest";
import type { Json } from "../contract/json.ts";
import { describeAsked } from "./asked-values.ts";

const asked = (input: Json, expected: Json, isShortened = false) =>
  describeAsked({ id: "t", description: null, input, expected, isShortened }, 40);

test("a bare value says more than the object around it", () => {
  expect(asked("hi", { type: "exact", value: "5" })).toEqual(['input: "hi"', 'expected: "5"']);
  expect(asked([1], { value: 5, absTol: 0.1 })).toEqual(["input: [1]", 'expected: {"value":5,"absTol":0.1}']);
});

test("an expectation that says nothing is left out, and a value that is null is not", () => {
  expect(asked(null, { type: "custom" })).toEqual(["input: null"]);
  expect(asked(1, { value: null })).toEqual(["input: 1", "expected: null"]);
});

test("what the report keeps only the beginning of is shown as the text it is", () => {
  expect(asked('{"text":"long…', { value: 1 }, true)[0]).toBe('input: {"text":"long…');
});

test("a file that does not tell what a task asked for has nothing to show", () => {
  expect(describeAsked(undefined, 40)).toEqual([]);
});
