import { expect, test } from "vitest";
import { applyGate } from "./gate.ts";
import { resultsOf, sampleSummary } from "./sample-summary.ts";

/** A report of a skill with one task per letter. */
function reportOf(id: string, word: string) {
  const words = Object.fromEntries([...word].map((letter, place) => [`t${place}`, letter]));
  const skill = { id, version: "1.0.0", digest: "sha256:skill" };
  return sampleSummary(resultsOf(words), { skill, taskIds: Object.keys(words) }).report("now");
}

const rule = { minCompletion: 0.8, on: "point", enforced: true } as const;

test("a rate that is just the line meets it", () => {
  expect(applyGate([reportOf("good", "ppppf")], rule)).toEqual({ ...rule, passed: true, below: [] }); // 4/5
});

test("skills below the line are named, in the order given", () => {
  const reports = [reportOf("worst", "ffff"), reportOf("good", "pppp"), reportOf("bad", "pppf")];

  expect(applyGate(reports, rule)).toMatchObject({ passed: false, below: ["worst", "bad"] });
});

test("a skill without a rate never meets a gate, not even one at 0", () => {
  expect(applyGate([reportOf("unknown", "iii")], { ...rule, minCompletion: 0 })).toMatchObject({
    passed: false,
    below: ["unknown"],
  });
  expect(applyGate([reportOf("unknown", "iii")], { ...rule, on: "lower", minCompletion: 0 }).passed).toBe(
    false,
  );
});

test("a gate on the lower bound wants the sample to be large enough", () => {
  // 10 of 10: lower = 10/(10 + 3.8415) = 0.7225; 20 of 20: 20/23.8415 = 0.8389
  expect(applyGate([reportOf("small", "p".repeat(10))], { ...rule, on: "lower" }).passed).toBe(false);
  expect(applyGate([reportOf("large", "p".repeat(20))], { ...rule, on: "lower" }).passed).toBe(true);
});

test("a gate compares at full precision, not what a report shows", () => {
  const report = reportOf("close", `${"p".repeat(2)}f`); // 0.666666… is written as 0.6667

  expect(applyGate([report], { ...rule, minCompletion: 0.6667 }).passed).toBe(false);
  expect(applyGate([report], { ...rule, minCompletion: 0.6666 }).passed).toBe(true);
});

test("a gate that is not enforced still tells how it went", () => {
  expect(applyGate([reportOf("bad", "f")], { ...rule, enforced: false })).toMatchObject({
    enforced: false,
    passed: false,
  });
});

test("a gate over no skills at all is not met", () => {
  expect(applyGate([], rule)).toMatchObject({ passed: false, below: [] });
});
