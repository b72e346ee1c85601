import { expect, test } from "vitest";
import type { TriggerGate } from "../../contract/triggering.ts";
import { applyTriggerGate, gateSkill, mergeGates } from "./trigger-gate.ts";
import { type Matrix, triggerMetrics } from "./trigger-metrics.ts";

function gate(lines: TriggerGate, counts: Partial<Matrix>, on: "point" | "lower" = "point") {
  const { tp = 0, fp = 0, tn = 0, fn = 0, ties = 0 } = counts;
  const asked = counts.asked ?? tp + fp + tn + fn + ties;
  return gateSkill("s", triggerMetrics({ tp, fp, tn, fn, ties, asked }), { lines, on });
}

const good = { tp: 9, fn: 1, tn: 10 };

test("a skill on the line passes, one below it does not, and says by which figure", () => {
  expect(gate({ recall: 0.9, precision: 1 }, good)).toEqual({
    recall: 0.9,
    precision: 1,
    on: "point",
    passed: true,
    below: [],
    inconclusive: [],
    reasons: [],
  });
  expect(gate({ recall: 0.95, mcc: 0.5 }, good)).toMatchObject({
    passed: false,
    below: ["s"],
    inconclusive: [],
    reasons: ["recall 0.9 is below 0.95"],
  });
});

test("a figure that rounding would lift to the line is shown in full", () => {
  expect(gate({ recall: 0.9 }, { tp: 89_999, fn: 10_001 })?.reasons).toEqual(["recall 0.89999 is below 0.9"]);
});

test("on the lower bound 10 of 10 is not 0.9; nor is an MCC of 1 from so few", () => {
  const perfect = { tp: 10, tn: 10 };

  expect(gate({ recall: 0.9, mcc: 0.5 }, perfect)?.passed).toBe(true);
  expect(gate({ recall: 0.9, mcc: 0.5 }, perfect, "lower")).toMatchObject({
    below: ["s"],
    reasons: ["the lower bound of recall 0.7225 is below 0.9", "the lower bound of MCC 0.4449 is below 0.5"],
  });
  expect(gate({ recall: 0.9, mcc: 0.9 }, { tp: 1000, tn: 1000 }, "lower")?.passed).toBe(true);
});

test.each([
  ["an undefined precision", { precision: 0.5 }, { tn: 10, fn: 10 }, ["precision is undefined"]],
  ["an undefined MCC", { mcc: 0 }, { tp: 10 }, ["MCC is undefined"]],
  ["too few answers", { recall: 0.9 }, { ...good, asked: 23 }, ["coverage 0.8696 is below 0.9"]],
  ["too many ties", { recall: 0.1 }, { tp: 8, ties: 2 }, ["coverage 0.8 is below 0.9"]],
  ["no queries", { recall: 0.1 }, {}, ["coverage undefined is below 0.9"]],
])("%s makes the gate inconclusive, neither passed nor missed", (_, lines, counts, reasons) => {
  expect(gate(lines, counts)).toMatchObject({ passed: false, below: [], inconclusive: ["s"], reasons });
});

test("one line may be missed while another cannot be told", () => {
  expect(gate({ recall: 0.5, precision: 0.5 }, { fn: 10, tn: 10 })).toMatchObject({
    below: ["s"],
    inconclusive: ["s"],
    reasons: ["recall 0 is below 0.5", "precision is undefined"],
  });
});

test("nine tenths of the queries are enough", () => {
  expect(gate({ recall: 0.9 }, { tp: 9, ties: 1 })?.passed).toBe(true);
});

test("where nothing is asked there is no gate", () => {
  expect(gate({}, good)).toBeNull();
});

test("flags win over the file, line by line", () => {
  expect(mergeGates({ recall: 0.9, precision: 0.8 }, { recall: 0.5, mcc: 0 })).toEqual({
    recall: 0.5,
    precision: 0.8,
    mcc: 0,
  });
});

test("the gate of a run passes if those of all skills do, and names the lines they share", () => {
  const skill = (id: string, lines: TriggerGate, counts: Partial<Matrix>) => {
    const { tp = 0, fp = 0, tn = 0, fn = 0 } = counts;
    const metrics = triggerMetrics({ tp, fp, tn, fn, ties: 0, asked: tp + fp + tn + fn });
    return { gate: gateSkill(id, metrics, { lines, on: "point" }) };
  };
  const rule = { lines: {}, on: "point" } as const;
  const results = [
    skill("a", { recall: 0.9, precision: 0.9 }, { tp: 9, fn: 1 }),
    skill("b", { recall: 0.9, precision: 0.8 }, { tp: 8, fn: 2 }),
    skill("c", { recall: 0.9 }, { tn: 5 }),
    skill("d", {}, { fn: 5 }),
  ];

  expect(applyTriggerGate(results, rule)).toEqual({
    recall: 0.9,
    on: "point",
    passed: false,
    below: ["b"],
    inconclusive: ["c"],
  });
  expect(applyTriggerGate(results.slice(0, 1), rule)).toMatchObject({ precision: 0.9, passed: true });
  expect(applyTriggerGate([], { lines: { recall: 0.9 }, on: "lower" })).toEqual({
    recall: 0.9,
    on: "lower",
    passed: true,
    below: [],
    inconclusive: [],
  });
});
