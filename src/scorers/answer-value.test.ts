import { expect, test } from "vitest";
import { singleAnswer } from "./answer-value.ts";

test.each(["result", "output", "answer"])("the member %s is the answer", async (wrapper) => {
  expect(singleAnswer({ [wrapper]: 5 }, 5)).toBe(5);
});

test("other members beside it do not matter", async () => {
  expect(singleAnswer({ result: [1, 2], elapsed: 3 }, [1, 2])).toEqual([1, 2]);
});

test("two of the three are no single answer", async () => {
  expect(singleAnswer({ result: 5, answer: 5 }, 5)).toEqual({ result: 5, answer: 5 });
});

test("an object that is expected is compared with the whole object", async () => {
  expect(singleAnswer({ result: 5 }, { result: 5 })).toEqual({ result: 5 });
});

test("null and lists are no objects, so they are compared with the member", async () => {
  expect(singleAnswer({ answer: null }, null)).toBeNull();
  expect(singleAnswer({ answer: [] }, [])).toEqual([]);
});

test("only one level is unwrapped", async () => {
  expect(singleAnswer({ result: { result: 5 } }, 5)).toEqual({ result: 5 });
});

test("an inherited member is not an answer", async () => {
  const output = Object.create({ result: 5 });
  expect(singleAnswer(output, 5)).toBe(output);
});
