import { expect, test } from "vitest";
import { describeGate } from "./describe-gate.ts";
import { sampleReport, sampleSkill } from "./sample-report.ts";

const chosen = (count: number) =>
  Array.from({ length: 3 }, (_, n) => sampleSkill({ skillId: `s${n}`, selected: n < count }));

test("the gate of eval asks something of every skill", () => {
  expect(describeGate(sampleReport())).toBe("Gate passed: completion ≥ 80.0% for every skill.");
});

test("the gate of run asks whether there is a skill to choose", () => {
  const { gate } = sampleReport();
  const of = (count: number) =>
    describeGate({ command: "run", gate: { ...gate, passed: count > 0 }, reports: chosen(count) });

  expect(of(1)).toBe("Gate passed: 1 of 3 skills was selected.");
  expect(of(2)).toBe("Gate passed: 2 of 3 skills were selected.");
  expect(of(0)).toBe("Gate failed: no skill was selected.");
});
