import { expect, test } from "vitest";
import { makeSummary } from "../../../test/builders/sample-summary.ts";

test("two tasks that alternate in opposite phase look consistent, and both are flaky", () => {
  // every run has one pass of two: rates 0.5, spread 0
  expect(makeSummary({ a: "pfpfpf", b: "fpfpfp" })).toMatchObject({ consistencyScore: 1, flakeRate: 1 });
});

test("with one run there are no figures that need repetition", () => {
  expect(makeSummary({ a: "p", b: "f" })).toMatchObject({
    consistencyScore: null,
    flakeRate: null,
    passAtK: null,
    passHatK: null,
  });
});

test("consistency looks at runs: all pass in one and all fail in the other is as bad as it gets", () => {
  expect(makeSummary({ a: "pf", b: "pf" }).consistencyScore).toBe(0.5); // rates 1 and 0, spread 0.5
});

test("a run in which nothing counted has no rate, and one rate says nothing of consistency", () => {
  expect(makeSummary({ a: "pip", b: "pif" }).consistencyScore).toBe(0.75); // rates 1 and 0.5, spread 0.25
  expect(makeSummary({ a: "pi", b: "fi" }).consistencyScore).toBeNull();
});

test("a task with one valid trial is neither flaky nor steady", () => {
  expect(makeSummary({ a: "pf", b: "pi", c: "ee" }).flakeRate).toBe(0.5); // a of a and c
  expect(makeSummary({ a: "pi", b: "if" }).flakeRate).toBeNull();
});

test("failing, erring and timing out agree with each other: none of them is a pass", () => {
  expect(makeSummary({ a: "fet", b: "ppp" }).flakeRate).toBe(0);
});

test("a k that no task has trials enough for has no key", () => {
  const { passAtK, passHatK } = makeSummary({ a: "pfi", b: "pii" });

  // k 1: (1/2 + 1)/2; k 2: only a has two trials
  expect(passAtK).toEqual({ "1": 0.75, "2": 1 });
  expect(passHatK).toEqual({ "1": 0.75, "2": 0 });
});
