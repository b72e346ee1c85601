import { expect, test } from "vitest";
import { askedParts } from "./asked-parts.ts";

const task = { id: "t", description: null, input: "", expected: { value: { a: 1 } }, isShortened: false };

test("each value says what kind of value it is, and an empty text is not nothing", () => {
  expect(askedParts(task)).toEqual([
    { title: "Input (text)", text: "(an empty text)" },
    { title: "Expected (JSON)", text: '{\n  "a": 1\n}' },
  ]);
});

test("a value that was too long says that this is its beginning", () => {
  const long = { ...task, input: '{"text":"once upon…', isShortened: true };
  expect(askedParts(long)[0]).toEqual({ title: "Input (its beginning)", text: '{"text":"once upon…' });
});

test("a task that the report does not tell of shows nothing", () => {
  expect(askedParts(undefined)).toEqual([]);
});
