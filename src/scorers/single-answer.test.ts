import { expect, test } from "vitest";
import { singleAnswer } from "./single-answer.ts";

test.each(["result", "output", "answer"])("the member %s is the answer", (wrapper) => {
  expect(singleAnswer({ [wrapper]: 5 }, 5)).toBe(5);
});

test("other members beside it do not matter", () => {
  expect(singleAnswer({ result: [1, 2], elapsed: 3 }, [1, 2])).toEqual([1, 2]);
});

test("two of the three are no single answer", () => {
  expect(singleAnswer({ result: 5, answer: 5 }, 5)).toEqual({ result: 5, answer: 5 });
});

test("an object that is expected is compared with the whole object", () => {
  expect(singleAnswer({ result: 5 }, { result: 5 })).toEqual({ result: 5 });
});

test("null and lists are no objects, so they are compared with the member", () => {
  expect(singleAnswer({ answer: null }, null)).toBeNull();
  expect(singleAnswer({ answer: [] }, [])).toEqual([]);
});

test("only one level is unwrapped", () => {
  expect(singleAnswer({ result: { result: 5 } }, 5)).toEqual({ result: 5 });
});

test("an inherited member is no answer", () => {
  const output = Object.create({ result: 5 });
  expect(singleAnswer(output, 5)).toBe(output);
});
