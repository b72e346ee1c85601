import { expect, test } from "vitest";
import { describeTriggering } from "./describe-triggering.ts";
import { sampleReport } from "./sample-report.ts";
import { sampleQuery } from "./sample-trigger-query.ts";
import { sampleEntry, sampleTriggerResult, skippedResult } from "./sample-trigger-report.ts";

const { gate } = sampleReport();
const failing = [
  sampleQuery({ query: "a", answers: "NNNNNNNN" }),
  sampleQuery({ query: "b", answers: "????????" }),
];
const failed = sampleEntry(sampleTriggerResult("refactor", failing), failing);
const skipped = [
  skippedResult("x"),
  skippedResult("y", "empty-lists"),
  skippedResult("z", "single-case"),
].map((result) => sampleEntry(result, []));

test("a failure that is not the gate's is that of the triggering pass, which was required and skipped", () => {
  for (const passing of [gate, { ...gate, enforced: false, passed: false }]) {
    expect(describeTriggering({ gate: passing, exitCode: 1 })).toBe(
      "The triggering pass was skipped, which --require-triggering forbids.",
    );
    expect(describeTriggering({ gate: passing, exitCode: 1, triggering: skipped })).toBe(
      "The triggering pass was skipped for x (no triggering block) and y (its lists of queries are empty), which --require-triggering forbids.",
    );
    for (const exitCode of [0, 3] as const)
      expect(describeTriggering({ gate: passing, exitCode })).toBeNull();
  }
  expect(describeTriggering({ gate: { ...gate, passed: false }, exitCode: 1 })).toBeNull();
});

test("where failing was asked for, failed queries are why; those without a usable answer are not", () => {
  const words = "1 trigger query failed: refactor (1).";

  expect(describeTriggering({ gate, exitCode: 1, triggering: [failed, ...skipped] })).toBe(words);
  expect(describeTriggering({ gate: { ...gate, passed: false }, exitCode: 1, triggering: [failed] })).toBe(
    words,
  );
});

test("where it was not, a failed query is no reason", () => {
  const loose = { ...gate, enforced: false };

  expect(describeTriggering({ gate: loose, exitCode: 1, triggering: [failed, ...skipped] })).toContain(
    "skipped for x",
  );
  expect(describeTriggering({ gate: loose, exitCode: 0, triggering: [failed] })).toBeNull();
});
