import { expect, test } from "vitest";
import { sampleReport } from "../src/reporters/sample-report.ts";
import { verdictOf } from "./verdict-of.ts";

const { gate } = sampleReport();

test("no verdict comes before any word about the gate", () => {
  expect(verdictOf({ gate, exitCode: 3 })).toEqual({ title: "No verdict", mark: "invalid" });
});

test("a gate that nobody enforces passes nothing and fails nothing", () => {
  const loose = { ...gate, enforced: false };
  const missed = verdictOf({ gate: { ...loose, passed: false }, exitCode: 0 });
  expect(missed).toEqual({ title: "Gate not met, not enforced", mark: "none" });
  expect(verdictOf({ gate: loose, exitCode: 0 }).title).toBe("Gate met, not enforced");
  expect(verdictOf({ gate: { ...loose, minCompletion: 0 }, exitCode: 0 }).title).toBe("Evaluated");
});

test("an enforced gate passed or failed", () => {
  expect(verdictOf({ gate, exitCode: 0 }).mark).toBe("pass");
  expect(verdictOf({ gate: { ...gate, passed: false }, exitCode: 1 }).mark).toBe("fail");
});
