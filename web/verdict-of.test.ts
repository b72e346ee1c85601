import { expect, test } from "vitest";
import { unrecordedRun } from "../src/contract/unrecorded-run.ts";
import { sampleReport } from "../src/reporters/sample-report.ts";
import { fullTriggerReport, sampleEntry, sampleQueries } from "../src/reporters/sample-trigger-report.ts";
import { verdictOf } from "./verdict-of.ts";

const { run, gate, triggering } = sampleReport();

test("no verdict comes before any word about the gate", () => {
  expect(verdictOf({ run, triggering, gate, exitCode: 3 })).toEqual({ title: "No verdict", mark: "invalid" });
});

test("of a gate that nobody asked for nothing is said, however it went", () => {
  for (const passed of [true, false])
    expect(verdictOf({ run, triggering, gate: { ...gate, enforced: false, passed }, exitCode: 0 })).toEqual({
      title: "Evaluated",
      mark: "none",
    });
});

test("an enforced gate passed or failed", () => {
  expect(verdictOf({ run, triggering, gate, exitCode: 0 }).mark).toBe("pass");
  expect(verdictOf({ run, triggering, gate: { ...gate, passed: false }, exitCode: 1 }).mark).toBe("fail");
});

test("a run whose required triggering pass was skipped failed, whatever the gate says", () => {
  for (const passing of [gate, { ...gate, enforced: false }])
    expect(verdictOf({ run, triggering, gate: passing, exitCode: 1 })).toEqual({
      title: "Failed",
      mark: "fail",
      why: "The triggering pass was skipped, which --require-triggering forbids.",
    });
});

test("failed queries that decide the exit code are told", () => {
  const failed = fullTriggerReport.results
    .filter(({ skillId }) => skillId === "slides")
    .map((result) => sampleEntry(result, [...sampleQueries("slides")]));

  expect(verdictOf({ run, triggering: failed, gate, exitCode: 1 })).toMatchObject({
    mark: "fail",
    why: "1 trigger query failed: slides (1).",
  });
});

test("results whose run is not recorded were evaluated, and no gate is spoken of", () => {
  expect(verdictOf({ run: unrecordedRun, triggering, gate, exitCode: 0 })).toEqual({
    title: "Evaluated",
    mark: "none",
  });
});
