import { expect, test } from "vitest";
import { unrecordedRun } from "../src/contract/unrecorded-run.ts";
import { sampleReport } from "../src/reporters/sample-report.ts";
import { verdictOf } from "./verdict-of.ts";

const { run, gate } = sampleReport();

test("no verdict comes before any word about the gate", () => {
  expect(verdictOf({ run, gate, exitCode: 3 })).toEqual({ title: "No verdict", mark: "invalid" });
});

test("of a gate that nobody asked for nothing is said, however it went", () => {
  for (const passed of [true, false])
    expect(verdictOf({ run, gate: { ...gate, enforced: false, passed }, exitCode: 0 })).toEqual({
      title: "Evaluated",
      mark: "none",
    });
});

test("an enforced gate passed or failed", () => {
  expect(verdictOf({ run, gate, exitCode: 0 }).mark).toBe("pass");
  expect(verdictOf({ run, gate: { ...gate, passed: false }, exitCode: 1 }).mark).toBe("fail");
});

test("a run whose required triggering pass was skipped failed, whatever the gate says", () => {
  for (const passing of [gate, { ...gate, enforced: false }])
    expect(verdictOf({ run, gate: passing, exitCode: 1 })).toEqual({
      title: "Failed",
      mark: "fail",
      why: "The triggering pass was skipped, which --require-triggering forbids.",
    });
});

test("results whose run is not recorded were evaluated, and no gate is spoken of", () => {
  expect(verdictOf({ run: unrecordedRun, gate, exitCode: 0 })).toEqual({ title: "Evaluated", mark: "none" });
});
