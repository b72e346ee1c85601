import { expect, test } from "vitest";
import { describeTriggering } from "./describe-triggering.ts";
import { sampleReport } from "./sample-report.ts";

const { gate } = sampleReport();

test("a failure that is not the gate's is that of the triggering pass, which was required and skipped", () => {
  for (const passing of [gate, { ...gate, enforced: false, passed: false }]) {
    expect(describeTriggering({ gate: passing, exitCode: 1 })).toContain("--require-triggering");
    expect(describeTriggering({ gate: passing, exitCode: 0 })).toBeNull();
    expect(describeTriggering({ gate: passing, exitCode: 3 })).toBeNull();
  }
  expect(describeTriggering({ gate: { ...gate, passed: false }, exitCode: 1 })).toBeNull();
});
