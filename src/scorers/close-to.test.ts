import { expect, test } from "vitest";
import { requestFor, scoreAnswer } from "../../test/scorer-request.ts";
import type { Expectation } from "../contract/task.ts";
import type { Json } from "../shared/json/json.ts";
import { prepareScorer } from "./choose-scorer.ts";

async function isClose(expected: Expectation, output: Json): Promise<boolean> {
  return (await scoreAnswer(requestFor({ type: "close_to", ...expected }), output)).score === 1;
}

test("within absTol is a pass, beyond it is not", async () => {
  expect(await isClose({ value: 1.7, absTol: 0.0001 }, 1.70009)).toBe(true);
  expect(await isClose({ value: 1.7, absTol: 0.0001 }, 1.7002)).toBe(false);
});

test("the bound itself is within", async () => {
  expect(await isClose({ value: 1, absTol: 0.5 }, 1.5)).toBe(true);
  expect(await isClose({ value: 8, absTol: 0, relTol: 0.25 }, 10)).toBe(true);
});

test("absTol is 1e-6 and relTol 0 where nothing is said", async () => {
  expect(await isClose({ value: 1 }, 1.0000009)).toBe(true);
  expect(await isClose({ value: 1 }, 1.000002)).toBe(false);
});

test("the larger of the two tolerances holds, relTol measured at the size of a negative value too", async () => {
  expect(await isClose({ value: -1000, absTol: 1, relTol: 0.01 }, -991)).toBe(true);
  expect(await isClose({ value: -1000, absTol: 20, relTol: 0.01 }, -981)).toBe(true);
  expect(await isClose({ value: -1000, absTol: 1, relTol: 0.01 }, -989)).toBe(false);
});

test("the single answer of an object is used, and a text that says a number", async () => {
  expect(await isClose({ value: 2 }, { answer: 2 })).toBe(true);
  expect(await isClose({ value: 2 }, { result: " 2.0 " })).toBe(true);
});

test.each([["two"], [""], [null], [true], [[2]], [{ value: 2 }]])(
  "%j is not a number, so it fails",
  async (output) => {
    expect(await isClose({ value: 2, absTol: 5 }, output)).toBe(false);
  },
);

test("the reason says value, tolerance and what came", async () => {
  expect(await scoreAnswer(requestFor({ type: "numeric", value: 3, absTol: 0.5 }), 4)).toEqual({
    score: 0,
    passed: false,
    reason: "expected 3 ± 0.5, got 4",
  });
});

test("its identity is the whole configuration, defaults filled in", async () => {
  const identity = { type: "close_to", value: 1, absTol: 1e-6, relTol: 0 };
  expect((await prepareScorer(requestFor({ type: "numeric", value: 1 }))).identity).toEqual(identity);
});
